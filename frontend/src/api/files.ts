// Files: pages of folders, places, the bin, texts, and what changes them. A change reads all folders again.
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { answer, client, done } from "./client";
import { keys } from "./keys";

import type { paths } from "./schema.gen";
import type { Answer, Asked } from "./types";

export type Place = Answer<paths["/files/places"]["get"]>["items"][number];
export type Many = Answer<paths["/files/move"]["post"]>;
export type BinItem = Answer<paths["/files/bin"]["get"]>["items"][number];
export type TextFile = Answer<paths["/files/text"]["get"]>;
export type TextToSave = Asked<paths["/files/text"]["put"]>;

export interface FolderView {
  path: string;
  q: string;
  sort: "name" | "size" | "modified";
  order: "asc" | "desc";
  hidden: boolean;
}

const PAGE = 1000;

export const fileReads = {
  folder: (view: FolderView) =>
    infiniteQueryOptions({
      queryKey: [...keys.files(view.path), view],
      queryFn: ({ pageParam }) => answer(() => client.GET("/files", { params: { query: { ...view, offset: pageParam, limit: PAGE } } })),
      initialPageParam: 0,
      getNextPageParam: (page, _pages, offset) => (page.truncated && page.entries.length > 0 ? offset + page.entries.length : null),
      staleTime: 0,
      retry: false,
      placeholderData: (before, query) => (query?.queryKey[1] === view.path ? keepPreviousData(before) : undefined),
    }),
  places: queryOptions({ queryKey: keys.places, queryFn: () => answer(() => client.GET("/files/places")) }),
  bin: queryOptions({ queryKey: keys.bin, queryFn: () => answer(() => client.GET("/files/bin")), staleTime: 0 }),
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

/** The changes of the page; each is over when its folders have been asked for again. */
export const changes = {
  makeFolder: (path: string) => done(() => client.POST("/files/folders", { body: { path } })),
  rename: (path: string, name: string) => done(() => client.POST("/files/rename", { body: { path, name } })),
  move: (paths: string[], target: string, conflict: "refuse" | "rename" | "replace") =>
    answer(() => client.POST("/files/move", { body: { paths, target, conflict } })),
  remove: (paths: string[]) => answer(() => client.POST("/files/remove", { body: { paths } })),
  restore: (ids: string[]) => answer(() => client.POST("/files/restore", { body: { ids } })),
  mode: (path: string, mode: string) => done(() => client.POST("/files/mode", { body: { path, mode } })),
};

export const readText = (path: string) => answer(() => client.GET("/files/text", { params: { query: { path } } }));
export const saveText = (body: TextToSave) => answer(() => client.PUT("/files/text", { body }));

export function useChange<T>() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: () => Promise<T>) => change(),
    onSettled: () => {
      void queries.invalidateQueries({
        queryKey: keys.files("").slice(0, 1),
        predicate: ({ queryKey }) => queryKey.at(-1) !== "text",
      });
      void queries.invalidateQueries({ queryKey: keys.places });
      void queries.invalidateQueries({ queryKey: keys.bin });
    },
  });
}
