// The folders last used in this browser, and the starred ones. A convenience: nothing depends on it.
import { useLocalStorage } from "@mantine/hooks";

const STARRED = "dsp.starred-folders";
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

/** The starred folders, and what stars one or takes the star away. */
export function useStarred(): [string[], (folder: string) => void] {
  const [starred, setStarred] = useLocalStorage<string[]>({ key: STARRED, defaultValue: [], getInitialValueInEffect: false });
  const toggle = (folder: string) => setStarred((now) => (now.includes(folder) ? now.filter((other) => other !== folder) : [...now, folder]));
  return [starred, toggle];
}
