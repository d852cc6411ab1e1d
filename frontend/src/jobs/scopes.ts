// Active, ended or all jobs, in the page's URL.
import type { JobScope } from "~/api/jobKeys";
import { pages } from "~/paths";

export const SCOPES: readonly JobScope[] = ["active", "ended", "all"];

export const scopeOf = (params: URLSearchParams): JobScope => SCOPES.find((scope) => scope === params.get("state")) ?? "active";

/** The list in another scope; filter and order stay, an open job closes. */
export function addressOf(scope: JobScope, params: URLSearchParams): string {
  const next = new URLSearchParams(params);
  next.delete("job");
  if (scope === "active") next.delete("state");
  else next.set("state", scope);
  return pages.jobs(next);
}
