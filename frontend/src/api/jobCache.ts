// Writes events about my batch jobs into the query cache.
import type { InfiniteData, QueryClient } from "@tanstack/react-query";

import { change, readAgain } from "./inFlight";
import { jobKeys, type JobScope } from "./jobKeys";
import { isOver } from "./jobStates";
import type { JobDetail, JobPage, JobRow, JobsEvent } from "./jobTypes";

/** `event: jobs` of the page's stream. */
export function putJobs(queries: QueryClient, news: JobsEvent): void {
  const { items, gone } = news;
  for (const [key] of queries.getQueriesData({ queryKey: jobKeys.lists })) {
    const [, scope, query] = key as ReturnType<typeof jobKeys.list>;
    // Only the portal knows whether a changed job matches a filter.
    if (query !== "" || gone.length > 0) readAgain(queries, key);
    change<InfiniteData<JobPage>>(queries, key, (list) => ({ ...list, pages: mergeJobs(list.pages, items, scope, query === "") }));
  }
  for (const row of items) {
    if (row.array !== null) readAgain(queries, jobKeys.anyTasks(row.id));
    const known = queries.getQueryData<JobDetail>(jobKeys.job(row.id));
    change<JobDetail>(queries, jobKeys.job(row.id), (job) => ({ ...job, ...row }));
    // The event contains neither the allowed actions nor the history.
    if (known?.state !== row.state || known.reason_code !== row.reason_code) readAgain(queries, jobKeys.job(row.id));
  }
  for (const id of gone) readAgain(queries, jobKeys.job(id));
}

export function putJob(queries: QueryClient, job: JobDetail): void {
  queries.setQueryData(jobKeys.job(job.id), job);
  void queries.invalidateQueries({ queryKey: jobKeys.lists });
}

/**
 * The pages of a list after an event: rows change in place, new ones come first, those that no longer belong are
 * removed.
 */
export function mergeJobs(pages: JobPage[], news: readonly JobRow[], scope: JobScope, takesNew: boolean): JobPage[] {
  const belongs = (row: JobRow) => scope === "all" || isOver(row) === (scope === "ended");
  const known = new Set(pages.flatMap((page) => page.items.map(({ id }) => id)));
  const fresh = takesNew ? news.filter((row) => belongs(row) && !known.has(row.id)) : [];
  const changed = new Map(news.map((row) => [row.id, row]));
  return pages.map((page, index) => {
    const items = page.items.map((row) => changed.get(row.id) ?? row).filter(belongs);
    return { ...page, items: index === 0 ? [...fresh, ...items] : items };
  });
}
