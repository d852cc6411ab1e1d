import { pages } from "~/paths";

/** The parts of the Environments page, as in its URL. */
export const TABS = ["environments", "images", "catalogue"] as const;
type Tab = (typeof TABS)[number];

export const tabOf = (query: URLSearchParams): Tab => TABS.find((tab) => tab === query.get("tab")) ?? "environments";

const ADDRESSES: Record<Tab, string> = {
  environments: pages.environments(),
  images: pages.images(),
  catalogue: pages.imageCatalogue(),
};

export const addressOf = (tab: Tab) => ADDRESSES[tab];
