import { strings } from "~/strings/en";

export interface AppGroup<A> {
  title: string;
  apps: A[];
}

/** Apps under their headings, both in the catalogue's order; apps without a heading come last. */
export function groupsOf<A extends { group: string }>(apps: readonly A[]): AppGroup<A>[] {
  const titles = [...new Set(apps.map((app) => app.group))].sort((a, b) => Number(a === "") - Number(b === ""));
  return titles.map((title) => ({
    title: title === "" ? strings.apps.otherGroup : title,
    apps: apps.filter((app) => app.group === title),
  }));
}
