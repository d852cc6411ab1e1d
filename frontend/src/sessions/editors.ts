// Editors on the user's own machine, which reach a session over SSH as a host written by `portal ssh-config`.

/** The session as a host; the laptop's program (agent/laptop/sessions.py) makes the same name. */
export function hostOf(session: { id: string; name: string }): string {
  const name = session.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${name || session.id}.portal`;
}

/** A link that makes the system open an editor on a host; the format is VS Code's, which Cursor shares. */
export const editorLink = (scheme: "vscode" | "cursor", host: string) => `${scheme}://vscode-remote/ssh-remote+${host}/`;
