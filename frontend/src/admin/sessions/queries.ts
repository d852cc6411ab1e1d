// Everybody's sessions, kept current by the page's one stream, and administrators' actions on them.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { change, readAgain } from "~/api/inFlight";
import type { paths } from "~/api/schema.gen";
import type { Session } from "~/api/types";
import { useInterest } from "~/live/interest";
import { onNews } from "~/live/news";

export type SessionList = paths["/admin/sessions"]["get"]["responses"][200]["content"]["application/json"];
export type Scope = "active" | "ended";
export type SessionResult = paths["/admin/sessions/stop"]["post"]["responses"][200]["content"]["application/json"]["results"][number];
export type Asked =
  | { action: "stop"; sessions: string[] }
  | { action: "message"; sessions: string[]; text: string }
  | { action: "extend"; sessions: string[]; seconds: number; beyond_limits: boolean };
export type Action = Asked["action"];

const lists = ["admin", "sessions"] as const;
const listKey = (scope: Scope, query: string) => [...lists, scope, query] as const;

export function useEverybodysSessions(scope: Scope, query: string) {
  useInterest("sessions");
  return useQuery(
    queryOptions({
      queryKey: listKey(scope, query),
      queryFn: () => answer(() => client.GET("/admin/sessions", { params: { query: { state: scope, query } } })),
      placeholderData: keepPreviousData,
    }),
  );
}

onNews("anyones", putAnyones);

/** An event about any user's session. */
function putAnyones(queries: QueryClient, news: Session): void {
  for (const [key, data] of queries.getQueriesData<SessionList>({ queryKey: lists })) {
    const [, , scope, query] = key as ReturnType<typeof listKey>;
    const known = data?.items.some(({ id }) => id === news.id) ?? false;
    // Only the portal knows whether a new one matches a filter.
    if (!known && query !== "") readAgain(queries, key);
    else change<SessionList>(queries, key, (list) => ({ ...list, items: mergeAnyones(list.items, news, scope) }));
  }
}

/**
 * The list after an event: known rows change in place, new ones come first, those that no longer belong are removed.
 */
export function mergeAnyones(items: readonly Session[], news: Session, scope: Scope): Session[] {
  const belongs = (news.state === "ended") === (scope === "ended");
  const known = items.some(({ id }) => id === news.id);
  if (!known) return belongs ? [news, ...items] : [...items];
  return items.flatMap((session) => (session.id !== news.id ? [session] : belongs ? [news] : []));
}

export function useSessionsAction() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ action, ...body }: Asked) => answer(() => send(action, body as never)),
    onSettled: () => queries.invalidateQueries({ queryKey: lists }),
  });
}

function send(action: Action, body: never) {
  if (action === "stop") return client.POST("/admin/sessions/stop", { body });
  if (action === "extend") return client.POST("/admin/sessions/extend", { body });
  return client.POST("/admin/sessions/message", { body });
}
