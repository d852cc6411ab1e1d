// Every query of the API as a hook. The stream keeps the cache current (src/live), and a reconnection refetches
// everything; only the check of a request that would wait is asked for again.
import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { answer, client, setCsrfToken } from "./client";
import { keys, type AuditFilter } from "./keys";
import type { SessionAsked } from "./types";

const ACTIVE_AT_MOST = 200;
const ENDED_PAGE = 10;
const UNSEEN_AT_MOST = 50;
const AUDIT_PAGE = 50;
const TEMPLATES_STALE_MS = 5 * 60_000;
const CHECK_STALE_MS = 5_000;
const CHECK_AGAIN_MS = 10_000;
const MODULES_STALE_MS = 5 * 60_000;
const FILES_STALE_MS = 10_000;

/** The filter as the API takes it: days become timestamps. */
export function auditQuery({ actor, action, target, refused, from, to }: AuditFilter): Record<string, string> {
  return {
    ...(actor === "" ? {} : { actor }),
    ...(action === "" ? {} : { action }),
    ...(target === "" ? {} : { target }),
    ...(refused ? { refused: "true" } : {}),
    ...(from === "" ? {} : { since: midnight(from, 0) }),
    ...(to === "" ? {} : { until: midnight(to, 1) }),
  };
}

/** When a day starts in the user's zone, shifted by a number of days. */
function midnight(day: string, later: number): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

export const reads = {
  me: queryOptions({
    queryKey: keys.me,
    queryFn: async () => {
      const me = await answer(() => client.GET("/me"));
      setCsrfToken(me.csrf_token);
      return me;
    },
  }),
  site: queryOptions({ queryKey: keys.site, queryFn: () => answer(() => client.GET("/site")) }),
  options: queryOptions({ queryKey: keys.options, queryFn: () => answer(() => client.GET("/options")) }),
  active: queryOptions({
    queryKey: keys.active,
    queryFn: () => answer(() => client.GET("/sessions", { params: { query: { state: "active", limit: ACTIVE_AT_MOST } } })),
  }),
  ended: infiniteQueryOptions({
    queryKey: keys.ended,
    queryFn: ({ pageParam }) =>
      answer(() =>
        client.GET("/sessions", {
          params: { query: { state: "ended", limit: ENDED_PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  }),
  unseen: queryOptions({
    queryKey: keys.unseen,
    queryFn: () => answer(() => client.GET("/sessions", { params: { query: { state: "unseen", limit: UNSEEN_AT_MOST } } })),
  }),
  session: (id: string) =>
    queryOptions({
      queryKey: keys.session(id),
      queryFn: () => answer(() => client.GET("/sessions/{session_id}", { params: { path: { session_id: id } } })),
    }),
  check: (asked: SessionAsked) =>
    queryOptions({
      queryKey: [...keys.checks, asked],
      queryFn: () => answer(() => client.POST("/sessions/check", { body: asked })),
      staleTime: CHECK_STALE_MS,
      // No event says that a job ahead has left the queue, or that the portal now knows what it did not.
      refetchInterval: ({ state }) => (state.data === undefined || state.data.starts === "now" ? false : CHECK_AGAIN_MS),
      gcTime: 60_000,
      placeholderData: keepPreviousData,
    }),
  modules: queryOptions({
    queryKey: keys.modules,
    queryFn: () => answer(() => client.GET("/modules")),
    staleTime: MODULES_STALE_MS,
  }),
  files: (path: string) =>
    queryOptions({
      queryKey: keys.files(path),
      queryFn: () => answer(() => client.GET("/files", { params: { query: { path } } })),
      staleTime: FILES_STALE_MS,
      retry: false,
    }),
  environments: queryOptions({
    queryKey: keys.environments,
    queryFn: () => answer(() => client.GET("/environments")),
  }),
  labFiles: (environment: string) =>
    queryOptions({
      queryKey: keys.labFiles(environment),
      queryFn: () => answer(() => client.GET("/environments/{name}/lab-files", { params: { path: { name: environment } } })),
      staleTime: Infinity,
      retry: false,
    }),
  templates: queryOptions({
    queryKey: keys.templates,
    queryFn: () => answer(() => client.GET("/templates")),
    staleTime: TEMPLATES_STALE_MS,
  }),
  preview: (id: string) =>
    queryOptions({
      queryKey: keys.preview(id),
      queryFn: () => answer(() => client.GET("/templates/{template_id}/preview", { params: { path: { template_id: id } } })),
      staleTime: TEMPLATES_STALE_MS,
    }),
  messages: queryOptions({ queryKey: keys.messages, queryFn: () => answer(() => client.GET("/messages")) }),
  announcements: queryOptions({
    queryKey: keys.announcements,
    queryFn: () => answer(() => client.GET("/announcements")),
  }),
  audit: (filter: AuditFilter) =>
    infiniteQueryOptions({
      queryKey: keys.audit(filter),
      queryFn: ({ pageParam }) =>
        answer(() =>
          client.GET("/audit", {
            params: {
              query: {
                limit: AUDIT_PAGE,
                ...auditQuery(filter),
                ...(pageParam === null ? {} : { before: pageParam }),
              },
            },
          }),
        ),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => page.next,
      staleTime: 0,
    }),
};

export const useMe = () => useQuery(reads.me);

/** Where the browser keeps something of the current user's, apart from that of others who log in here; null: not known yet. */
export function useOwnKey(name: string): string | null {
  const user = useMe().data?.username;
  return user === undefined ? null : `${name}:${user}`;
}

export const useSite = () => useQuery(reads.site);
export const useOptions = () => useQuery(reads.options);
export const useActiveSessions = () => useQuery(reads.active);
export const useUnseenEnds = () => useQuery(reads.unseen);
export const useEndedSessions = () => useInfiniteQuery(reads.ended);
export const useSession = (id: string) => useQuery(reads.session(id));
export const useModules = () => useQuery(reads.modules);
export const useFiles = (path: string) => useQuery(reads.files(path));
export const useEnvironments = () => useQuery(reads.environments);
export const useTemplates = () => useQuery(reads.templates);
export const usePreview = (id: string) => useQuery(reads.preview(id));
export const useMessages = () => useQuery(reads.messages);
export const useAnnouncements = () => useQuery(reads.announcements);
export const useAudit = (filter: AuditFilter) => useInfiniteQuery(reads.audit(filter));

/** A piece of a session's log; a negative offset counts from the end. */
export const readLog = (id: string, offset: number, limit: number) =>
  answer(() =>
    client.GET("/sessions/{session_id}/log", { params: { path: { session_id: id }, query: { offset, limit } } }),
  );
