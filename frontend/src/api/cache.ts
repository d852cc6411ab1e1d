// Writes events into the query cache. merge.ts decides what to write.
import type { InfiniteData, QueryClient } from "@tanstack/react-query";

import { keys } from "./keys";
import { doorsChanged, isActive, mergeActive, mergeAvailability, mergeEnded, mergeEndedPage, mergeEnvironment, mergeSession } from "./merge";
import { replay } from "./replay";
import type { Availability, Environment, EnvironmentEvent, Options, Session, SessionPage, Site, SlurmState } from "./types";

/** Events about my sessions, for queries in flight. */
export const sessionNews = replay<Session>();

export function knownSession(queries: QueryClient, id: string): Session | undefined {
  return (
    queries.getQueryData<Session>(keys.session(id)) ??
    queries.getQueryData<SessionPage>(keys.active)?.items.find((item) => item.id === id)
  );
}

export function putSession(queries: QueryClient, news: Session): void {
  sessionNews.put(news);
  const page = queries.getQueryData<SessionPage>(keys.active);
  const known = knownSession(queries, news.id);
  const session = mergeSession(known, news);
  queries.setQueryData(keys.session(news.id), session);
  if (page !== undefined) queries.setQueryData(keys.active, mergeActive(page, session));
  queries.setQueryData<SessionPage>(keys.unseen, (old) => (old === undefined ? undefined : mergeEndedPage(old, session, null)));
  queries.setQueryData<InfiniteData<SessionPage>>(keys.ended, (old) =>
    old === undefined ? undefined : { ...old, pages: mergeEnded(old.pages, session) },
  );
  if (known === undefined || isActive(known) !== isActive(session)) {
    void queries.invalidateQueries({ queryKey: keys.options });
  }
}

export function putAvailability(queries: QueryClient, news: Availability): void {
  const before = queries.getQueryData<Availability>(keys.availability);
  queries.setQueryData(keys.availability, news);
  queries.setQueryData<Options>(keys.options, (old) => (old === undefined ? undefined : mergeAvailability(old, news)));
  if (doorsChanged(before, news)) void queries.invalidateQueries({ queryKey: keys.options });
  void queries.invalidateQueries({ queryKey: keys.checks });
}

export function putMissing(queries: QueryClient, { items }: { items: Site["missing"] }): void {
  queries.setQueryData<Site>(keys.site, (old) => (old === undefined ? undefined : { ...old, missing: items }));
}

export function putSlurm(queries: QueryClient, slurm: SlurmState): void {
  queries.setQueryData<Site>(keys.site, (old) => (old === undefined ? undefined : { ...old, slurm }));
}

export function putEnvironment(queries: QueryClient, news: EnvironmentEvent): void {
  queries.setQueryData<{ items: Environment[] }>(keys.environments, (old) =>
    old === undefined ? undefined : { ...old, items: mergeEnvironment(old.items, news) },
  );
  if (news.state === "installed" || news.state === "failed") {
    void queries.invalidateQueries({ queryKey: keys.options });
    void queries.invalidateQueries({ queryKey: keys.environments });
    void queries.invalidateQueries({ queryKey: keys.templates });
  }
}

/** After a gap in the stream: refetch whatever is shown. */
export function readAllAgain(queries: QueryClient): void {
  void queries.invalidateQueries();
}
