// Where a session's JupyterLab shows a file or folder.

/** Null: it lies outside the home, which is all that JupyterLab shows. `url` is the session's own. */
export function labAddress(url: string, path: string): string | null {
  if (path !== "~" && !path.startsWith("~/")) return null;
  return `${url}/tree/${path.slice(2).split("/").map(encodeURIComponent).join("/")}`;
}
