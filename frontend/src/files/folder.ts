// What the page's URL holds, and how paths and permissions are read.
import type { FolderView } from "~/api/files";
import { above, inside } from "~/lib/path";

export const ADDRESS = {
  path: "~",
  q: "",
  sort: ["name", "-name", "size", "-size", "modified", "-modified"],
  hidden: ["", "yes"],
  file: "",
} as const;

export interface Address {
  path: string;
  q: string;
  sort: string;
  hidden: string;
}

/** The longest filter that the portal takes. */
export const FILTER_AT_MOST = 64;

export const viewOf = ({ path, sort, hidden }: Address, q: string): FolderView => ({
  path,
  q,
  sort: sort.replace("-", "") as FolderView["sort"],
  order: sort.startsWith("-") ? "desc" : "asc",
  hidden: hidden === "yes",
});

/** The folders on the way to a path, the outermost first. */
export function crumbsOf(path: string): { name: string; path: string }[] {
  const up = above(path);
  return [...(up === null ? [] : crumbsOf(up)), { name: path.split("/").at(-1) || "/", path }];
}

/** A typed path as the API takes it: relative paths start at home. */
export function typedPath(text: string): string {
  const path = text.trim().replace(/(.)\/+$/, "$1");
  if (path === "") return "~";
  return path.startsWith("/") || path === "~" || path.startsWith("~/") ? path : inside("~", path);
}

export const parentOf = (path: string) => above(path) ?? "~";
export const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** `rwxr-x---` → `750`. */
export const octalOf = (mode: string) =>
  [0, 3, 6].map((at) => [4, 2, 1].reduce((sum, bit, index) => sum + ("-ST".includes(mode[at + index] ?? "-") ? 0 : bit), 0)).join("");

/** `notes.txt` → `notes copy.txt`. */
export function copyName(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)} copy${name.slice(dot)}` : `${name} copy`;
}
