// Everybody's sessions, kept true by the page's one stream, and what administrators do with them.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
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

/** News of a session of anybody. */
function putAnyones(queries: QueryClient, news: Session): void {
  for (const [key, data] of queries.getQueriesData<SessionList>({ queryKey: lists })) {
    if (data === undefined) continue;
    const [, , scope, query] = key as ReturnType<typeof listKey>;
    const known = data.items.some(({ id }) => id === news.id);
    // Whether one that is new here belongs to a search, only the portal knows.
    if (!known && query !== "") void queries.invalidateQueries({ queryKey: key });
    else queries.setQueryData<SessionList>(key, { ...data, items: mergeAnyones(data.items, news, scope) });
  }
}

/** The list after news: what is there changes in place, what is new comes first, what no longer belongs goes. */
export function mergeAnyones(items: readonly Session[], news: Session, scope: Scope): Session[] {
  const belongs = (news.state === "ended") === (scope === "ended");
  const known = items.some(({ id }) => id === news.id);
  if (!known) return belongs ? [news, ...items] : [...items];
  return items.flatMap((one) => (one.id !== news.id ? [one] : belongs ? [news] : []));
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
