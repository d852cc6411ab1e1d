import { pages } from "~/paths";

/** The tabs of the Environments page, in its address. */
export const TABS = ["environments", "images", "catalogue"] as const;
export type Tab = (typeof TABS)[number];

export const tabOf = (query: URLSearchParams): Tab => TABS.find((tab) => tab === query.get("tab")) ?? "environments";

export const IMAGES = `${pages.environments()}?tab=images`;
export const CATALOGUE = `${pages.environments()}?tab=catalogue`;
