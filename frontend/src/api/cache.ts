// Writes events into the query cache. merge.ts decides what to write.
import type { InfiniteData, QueryClient } from "@tanstack/react-query";

import { change, readAgain } from "./inFlight";
import { keys } from "./keys";
import { doorsChanged, isActive, mergeActive, mergeAvailability, mergeEnded, mergeEndedPage, mergeEnvironment, mergeSession } from "./merge";
import type { Availability, Environment, EnvironmentEvent, Options, Session, SessionPage, Site, SlurmState } from "./types";

export function knownSession(queries: QueryClient, id: string): Session | undefined {
  return (
    queries.getQueryData<Session>(keys.session(id)) ??
    queries.getQueryData<SessionPage>(keys.active)?.items.find((item) => item.id === id)
  );
}

export function putSession(queries: QueryClient, news: Session): void {
  const known = knownSession(queries, news.id);
  const session = mergeSession(known, news);
  queries.setQueryData(keys.session(news.id), session);
  change<Session>(queries, keys.session(news.id), (answer) => mergeSession(answer, news));
  change<SessionPage>(queries, keys.active, (page) => mergeActive(page, session));
  change<SessionPage>(queries, keys.unseen, (page) => mergeEndedPage(page, session, null));
  change<InfiniteData<SessionPage>>(queries, keys.ended, (ended) => ({ ...ended, pages: mergeEnded(ended.pages, session) }));
  if (known === undefined || isActive(known) !== isActive(session)) readAgain(queries, keys.options);
}

export function putAvailability(queries: QueryClient, news: Availability): void {
  const before = queries.getQueryData<Availability>(keys.availability);
  queries.setQueryData(keys.availability, news);
  change<Options>(queries, keys.options, (options) => mergeAvailability(options, news));
  if (doorsChanged(before, news)) readAgain(queries, keys.options);
  readAgain(queries, keys.checks);
}

export function putMissing(queries: QueryClient, { items }: { items: Site["missing"] }): void {
  change<Site>(queries, keys.site, (site) => ({ ...site, missing: items }));
}

export function putSlurm(queries: QueryClient, slurm: SlurmState): void {
  change<Site>(queries, keys.site, (site) => ({ ...site, slurm }));
}

export function putEnvironment(queries: QueryClient, news: EnvironmentEvent): void {
  change<{ items: Environment[] }>(queries, keys.environments, (known) => ({ ...known, items: mergeEnvironment(known.items, news) }));
  if (news.state === "installed" || news.state === "failed") {
    for (const queryKey of [keys.options, keys.environments, keys.templates]) readAgain(queries, queryKey);
  }
}

/** After a gap in the stream: refetch whatever is shown. */
export function readAllAgain(queries: QueryClient): void {
  readAgain(queries, []);
}
