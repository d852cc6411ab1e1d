// The folders last used in this browser. A convenience: nothing depends on it.
const KEY = "dsp.folders";
const MOST = 5;

export function recentFolders(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberFolder(folder: string): void {
  const others = recentFolders().filter((value) => value !== folder);
  try {
    localStorage.setItem(KEY, JSON.stringify([folder, ...others].slice(0, MOST)));
  } catch {
    // Storage is disabled: nothing is remembered.
  }
}
