// Operations that take long, as the stream tells them: copies, moves to another file system, deletions for good.
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { answer, client, done } from "~/api/client";
import { partsOf, readFoldersAgain, type Conflict, type Operation } from "~/api/files";
import { keys } from "~/api/keys";
import { onNews } from "~/live/news";
import { strings } from "~/strings/en";

const words = strings.files.operations;

/** `speed`: bytes a second; null: not known yet. */
export interface Shown extends Operation {
  speed?: number | null;
}

export const isOver = ({ ended }: Operation) => ended !== null;

const list = queryOptions({
  queryKey: keys.operations,
  queryFn: async ({ client: queries }) => {
    const { items } = await answer(() => client.GET("/files/operations"));
    return merged(items, queries.getQueryData<Shown[]>(keys.operations) ?? []);
  },
  staleTime: 0,
});

/** What the stream has told meanwhile is newer; one that had not ended and is not listed went down with the portal. */
export function merged(items: readonly Operation[], before: readonly Shown[]): Shown[] {
  const unlisted = before.filter(({ id, ended, state }) => (ended === null || state === "unknown") && !items.some((item) => item.id === id));
  return [
    ...items.map((item) => newer(before.find(({ id }) => id === item.id), item)),
    ...unlisted.map((old) => (isOver(old) ? old : { ...old, state: "unknown" as const, ended: old.updated, message: words.restarted })),
  ];
}

const newer = (before: Shown | undefined, now: Operation): Shown =>
  before === undefined ? now : Date.parse(before.updated) >= Date.parse(now.updated) ? before : { ...now, speed: speedOf(before, now) };

/** Puts one in its place or on top; older news never replaces newer. */
export function putOperation(queries: QueryClient, news: Operation): void {
  queries.setQueryData<Shown[]>(keys.operations, (items = []) => {
    const known = items.some(({ id }) => id === news.id);
    return known ? items.map((item) => (item.id === news.id ? newer(item, news) : item)) : [news, ...items];
  });
  if (isOver(news)) readFoldersAgain(queries);
}

/** Smoothed over the last few seconds. */
function speedOf(before: Shown, now: Operation): number | null {
  const seconds = (Date.parse(now.updated) - Date.parse(before.updated)) / 1000;
  if (seconds <= 0 || before.state !== "running") return before.speed ?? null;
  const speed = (now.bytes_done - before.bytes_done) / seconds;
  return before.speed == null ? speed : 0.8 * before.speed + 0.2 * speed;
}

onNews("file-operation", putOperation);

export const operations = {
  copy: (paths: string[], target: string, conflict: Conflict) =>
    each(paths, (part) => answer(() => client.POST("/files/copies", { body: { paths: part, target, conflict } }))),
  remove: (paths: string[]) => each(paths, (part) => answer(() => client.POST("/files/delete", { body: { paths: part } }))),
  /** Without ids, everything. */
  empty: (ids: string[]) => (ids.length === 0 ? emptied([]).then((one) => [one]) : each(ids, emptied)),
};

const emptied = (ids: string[]) => answer(() => client.POST("/files/bin/empty", { body: { ids } }));

async function each(paths: string[], begin: (part: string[]) => Promise<Operation>): Promise<Operation[]> {
  const begun: Operation[] = [];
  for (const part of partsOf(paths)) begun.push(await begin(part));
  return begun;
}

export const useOperations = () => useQuery(list).data ?? [];

/** Cancels one that goes on; takes one that is over off the list. */
export function useEnd() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Operation) => done(() => client.DELETE("/files/operations/{id}", { params: { path: { id } } })),
    onSettled: (_answer, _error, operation) => {
      if (isOver(operation)) queries.setQueryData<Shown[]>(keys.operations, (items = []) => items.filter(({ id }) => id !== operation.id));
    },
  });
}
