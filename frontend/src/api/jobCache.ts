// Writes events about my batch jobs into the query cache.
import type { InfiniteData, QueryClient } from "@tanstack/react-query";

import { jobKeys, type JobScope } from "./jobKeys";
import { isOver } from "./jobStates";
import type { JobDetail, JobPage, JobRow, JobsEvent } from "./jobTypes";
import { replay } from "./replay";

/** Events about my jobs, for queries in flight. */
export const jobNews = replay<JobsEvent>();

/** `event: jobs` of the page's stream. */
export function putJobs(queries: QueryClient, news: JobsEvent): void {
  jobNews.put(news);
  const { items, gone } = news;
  for (const [key, data] of queries.getQueriesData<InfiniteData<JobPage>>({ queryKey: jobKeys.lists })) {
    if (data === undefined) continue;
    const [, scope, query] = key as ReturnType<typeof jobKeys.list>;
    // Only the portal knows whether a changed job matches a filter.
    if (query !== "" || gone.length > 0) void queries.invalidateQueries({ queryKey: key });
    queries.setQueryData(key, { ...data, pages: mergeJobs(data.pages, items, scope, query === "") });
  }
  for (const row of items) {
    if (row.array !== null) void queries.invalidateQueries({ queryKey: jobKeys.anyTasks(row.id) });
    const known = queries.getQueryData<JobDetail>(jobKeys.job(row.id));
    if (known === undefined) continue;
    queries.setQueryData<JobDetail>(jobKeys.job(row.id), { ...known, ...row });
    // The event contains neither the allowed actions nor the history.
    if (known.state !== row.state || known.reason_code !== row.reason_code) {
      void queries.invalidateQueries({ queryKey: jobKeys.job(row.id) });
    }
  }
  for (const id of gone) void queries.invalidateQueries({ queryKey: jobKeys.job(id) });
}

export function putJob(queries: QueryClient, job: JobDetail): void {
  queries.setQueryData(jobKeys.job(job.id), job);
  void queries.invalidateQueries({ queryKey: jobKeys.lists });
}

/** A job after an event. */
export const jobWithNews = (job: JobDetail, { items }: JobsEvent): JobDetail => ({ ...job, ...items.find(({ id }) => id === job.id) });

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
