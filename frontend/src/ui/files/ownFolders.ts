// The folders that this user last used in this browser, and the starred ones. A convenience: nothing depends on it.
import { useLocalStorage } from "@mantine/hooks";
import { useCallback } from "react";

import { useOwnKey } from "~/api/queries";

const STARRED = "dsp.starred-folders";
const RECENT = "dsp.folders";
const MOST = 5;

/** The folders used last, and what adds one. */
export function useRecentFolders(): [string[], (folder: string) => void] {
  const key = useOwnKey(RECENT);
  const remember = useCallback((folder: string) => key !== null && store(key, folder), [key]);
  return [key === null ? [] : stored(key), remember];
}

function stored(key: string): string[] {
  try {
    const folders: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(folders) ? folders.filter((entry) => typeof entry === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function store(key: string, folder: string): void {
  const others = stored(key).filter((value) => value !== folder);
  try {
    localStorage.setItem(key, JSON.stringify([folder, ...others].slice(0, MOST)));
  } catch {
    // Storage is disabled: nothing is remembered.
  }
}

/** The starred folders, and what stars one or takes the star away. */
export function useStarred(): [string[], (folder: string) => void] {
  const key = useOwnKey(STARRED);
  const [starred, setStarred] = useLocalStorage<string[]>({ key: key ?? `${STARRED}:`, defaultValue: [], getInitialValueInEffect: false });
  const toggle = (folder: string) => setStarred((now) => (now.includes(folder) ? now.filter((other) => other !== folder) : [...now, folder]));
  return [starred, toggle];
}
