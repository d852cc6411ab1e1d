import type { App } from "~/api/types";
import { strings } from "~/strings/en";

export interface AppGroup {
  title: string;
  apps: App[];
}

/** Apps under their headings, both in the catalogue's order; those without a heading come last. */
export function groupsOf(apps: readonly App[]): AppGroup[] {
  const titles = [...new Set(apps.map((app) => app.group))].sort((a, b) => Number(a === "") - Number(b === ""));
  return titles.map((title) => ({
    title: title === "" ? strings.apps.otherGroup : title,
    apps: apps.filter((app) => app.group === title),
  }));
}
