// The browser's clipboard, where it may be used: over https, and reading only after the user has allowed it.

export async function write(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not over plain http, and not in a tab in the background; the page shows the text.
  }
}

/** Reads it; `undefined` if the browser does not allow that. `ask`: it may ask the user for leave. */
export async function read({ ask }: { ask: boolean }): Promise<string | undefined> {
  try {
    if (!ask && (await navigator.permissions.query({ name: "clipboard-read" as PermissionName })).state !== "granted") {
      return undefined;
    }
    return await navigator.clipboard.readText();
  } catch {
    return undefined;
  }
}
