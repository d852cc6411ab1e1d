// Files: pages of folders, places, the bin, texts, and what changes them. A change reads all folders again.
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { answer, client, done } from "./client";
import { readAgain } from "./inFlight";
import { keys } from "./keys";

import type { paths } from "./schema.gen";
import type { Answer, Asked } from "./types";

export type Place = Answer<paths["/files/places"]["get"]>["items"][number];
export type Operation = Answer<paths["/files/operations/{id}"]["get"]>;
export type Failed = Operation["failed"][number];
export type Conflict = "refuse" | "rename" | "replace";
export type BinItem = Answer<paths["/files/bin"]["get"]>["items"][number];
export type TextFile = Answer<paths["/files/text"]["get"]>;
export type TextToSave = Asked<paths["/files/text"]["put"]>;

/** What became of paths; `operations` go on with the rest. */
export interface Many {
  done: Answer<paths["/files/move"]["post"]>["done"];
  failed: Failed[];
  operations: Operation[];
}

export interface FolderView {
  path: string;
  q: string;
  sort: "name" | "size" | "modified";
  order: "asc" | "desc";
  hidden: boolean;
}

const PAGE = 1000;
/** A folder fetched while the page's code was loading is not fetched again. */
const FRESH_MS = 2000;
/** So many paths fit in a request. */
const PATHS = 500;

export const fileReads = {
  folder: (view: FolderView) =>
    infiniteQueryOptions({
      queryKey: [...keys.files(view.path), view],
      queryFn: ({ pageParam }) => answer(() => client.GET("/files", { params: { query: { ...view, offset: pageParam, limit: PAGE } } })),
      initialPageParam: 0,
      getNextPageParam: (page, _pages, offset) => (page.truncated && page.entries.length > 0 ? offset + page.entries.length : null),
      staleTime: FRESH_MS,
      retry: false,
      placeholderData: (before, query) => (query?.queryKey[1] === view.path ? keepPreviousData(before) : undefined),
    }),
  places: queryOptions({ queryKey: keys.places, queryFn: () => answer(() => client.GET("/files/places")) }),
  bin: queryOptions({ queryKey: keys.bin, queryFn: () => answer(() => client.GET("/files/bin")), staleTime: 0 }),
  /** As a data: URL. */
  picture: (path: string, type: string) =>
    queryOptions({
      queryKey: [...keys.files(path), "picture"],
      queryFn: async () => dataUrl(new Blob([await content(path)], { type })),
      gcTime: 0,
      retry: false,
    }),
  range: async (path: string, start: number, end: number) => (await content(path, { Range: `bytes=${start}-${end - 1}` })).arrayBuffer(),
  text: (path: string) =>
    queryOptions({
      queryKey: [...keys.files(path), "text"],
      queryFn: () => readText(path),
      // The editor works on what was read; a newer version is found when it is saved.
      staleTime: Infinity,
      gcTime: 0,
      retry: false,
    }),
};

const content = (path: string, headers?: Record<string, string>) =>
  answer(() => client.GET("/files/content", { params: { query: { path } }, parseAs: "blob", ...(headers && { headers }) }));

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => fail(reader.error ?? new Error("unreadable"));
    reader.readAsDataURL(blob);
  });
}

/** The changes of the page; each is over when its folders have been asked for again. */
export const changes = {
  makeFolder: (path: string) => done(() => client.POST("/files/folders", { body: { path } })),
  rename: (path: string, name: string) => done(() => client.POST("/files/rename", { body: { path, name } })),
  move: (paths: string[], target: string, conflict: Conflict) =>
    inParts(paths, (part) => answer(() => client.POST("/files/move", { body: { paths: part, target, conflict } }))),
  remove: (paths: string[]) => inParts(paths, (part) => answer(() => client.POST("/files/remove", { body: { paths: part } }))),
  restore: (ids: string[]) => inParts(ids, (part) => answer(() => client.POST("/files/restore", { body: { ids: part } }))),
  mode: (path: string, mode: string) => done(() => client.POST("/files/mode", { body: { path, mode } })),
};

/** Makes as many requests as the paths need, and returns what became of all of them. */
async function inParts(paths: readonly string[], change: (part: string[]) => Promise<Answer<paths["/files/move"]["post"]>>): Promise<Many> {
  const all: Many = { done: [], failed: [], operations: [] };
  for (const part of partsOf(paths)) {
    const { done, failed, operation } = await change(part);
    all.done.push(...done);
    all.failed.push(...failed);
    if (operation) all.operations.push(operation);
  }
  return all;
}

export const partsOf = (paths: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(paths.length / PATHS) }, (_, at) => paths.slice(at * PATHS, (at + 1) * PATHS));

export const readText = (path: string) => answer(() => client.GET("/files/text", { params: { query: { path } } }));
export const saveText = (body: TextToSave) => answer(() => client.PUT("/files/text", { body }));

export function useChange<T>() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: () => Promise<T>) => change(),
    onSettled: () => readFoldersAgain(queries),
  });
}

export function readFoldersAgain(queries: QueryClient): void {
  readAgain(queries, keys.files("").slice(0, 1), ({ queryKey }) => queryKey.at(-1) !== "text");
  readAgain(queries, keys.places);
  readAgain(queries, keys.bin);
}
