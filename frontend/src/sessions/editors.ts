// Editors on the user's own machine, which reach a session over SSH as a host written by `portal ssh-config`.

/** The session as a host; the laptop's program (agent/laptop/sessions.py) makes the same name. */
export function hostOf(session: { id: string; name: string }): string {
  const name = session.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${name || session.id}.portal`;
}

export type Editor = "vscode" | "cursor" | "zed" | "gateway";

/** Links that make the system open an editor on a host. */
export const editors: Record<Editor, (host: string, user: string) => string> = {
  vscode: (host) => `vscode://vscode-remote/ssh-remote+${host}/`,
  cursor: (host) => `cursor://vscode-remote/ssh-remote+${host}/`,
  zed: (host) => `zed://ssh/${host}`,
  gateway: (host, user) => `jetbrains-gateway://connect#${new URLSearchParams({ type: "ssh", host, port: "22", user }).toString()}`,
};

export const EDITORS = Object.keys(editors) as Editor[];
