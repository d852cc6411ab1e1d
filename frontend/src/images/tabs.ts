import { pages } from "~/paths";

/** The parts of the Environments page, in its address. */
export const TABS = ["environments", "images", "catalogue"] as const;
export type Tab = (typeof TABS)[number];

export const tabOf = (query: URLSearchParams): Tab => TABS.find((tab) => tab === query.get("tab")) ?? "environments";

export const addressOf = (tab: Tab) => (tab === "environments" ? pages.environments() : `${pages.environments()}?tab=${tab}`);

export const IMAGES = addressOf("images");
export const CATALOGUE = addressOf("catalogue");
