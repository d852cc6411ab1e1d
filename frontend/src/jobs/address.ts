// The list's state in the page's URL.
import type { JobScope } from "~/api/jobKeys";
import { pages } from "~/paths";
import { write, type Address } from "~/ui/useAddress";

export const SCOPES: readonly JobScope[] = ["active", "ended", "all"];
export const ADDRESS = { state: SCOPES, sort: "-submitted", q: "", job: "" };

/** The URL of the list without the open job. */
export const addressOf = (address: Address<typeof ADDRESS>) => pages.jobs(new URLSearchParams(write(ADDRESS, { ...address, job: "" })));
