// Queries and mutations of images, of the catalogue, and of the key for NVIDIA's registry.
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { answer, client, done } from "./client";
import { change, readAgain } from "./inFlight";
import { keys } from "./keys";
import type { Image, ImageAsked, ImageEvent, ImagePage } from "./types";

const CATALOGUE_STALE_MS = 60 * 60_000;

const reads = {
  images: queryOptions({ queryKey: keys.images, queryFn: () => answer(() => client.GET("/images")) }),
  catalogue: queryOptions({
    queryKey: ["image-catalogue"],
    queryFn: () => answer(() => client.GET("/image-catalogue")),
    staleTime: CATALOGUE_STALE_MS,
  }),
  ngc: queryOptions({ queryKey: ["ngc"], queryFn: () => answer(() => client.GET("/ngc")) }),
};

export const useImages = () => useQuery(reads.images);
export const useCatalogue = () => useQuery(reads.catalogue);
export const useNgc = () => useQuery(reads.ngc);

export function useAddImage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: ImageAsked) => answer(() => client.POST("/images", { body: asked })),
    onSuccess: (image) => putNew(queries, image),
    onSettled: () => readImagesAgain(queries),
  });
}

export function useRemoveImage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: Image["id"]) => done(() => client.DELETE("/images/{image_id}", { params: { path: { image_id: id } } })),
    onSettled: () => readImagesAgain(queries),
  });
}

export function useStoreKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => answer(() => client.PUT("/ngc", { body: { key } })),
    onSuccess: (state) => queries.setQueryData(reads.ngc.queryKey, state),
  });
}

export function useForgetKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => done(() => client.DELETE("/ngc")),
    onSettled: () => queries.invalidateQueries({ queryKey: reads.ngc.queryKey }),
  });
}

/** An event about one image: progress changes it in place; anything else refetches the list. */
export function putImage(queries: QueryClient, news: ImageEvent): void {
  const known = queries.getQueryData<ImagePage>(keys.images);
  const before = known?.items.find(({ id }) => id === news.id);
  if (known !== undefined && before?.state === news.state && news.state === "pulling") {
    change<ImagePage>(queries, keys.images, (page) => ({
      ...page,
      items: page.items.map((image) => (image.id === news.id ? { ...image, ...news } : image)),
    }));
  } else readImagesAgain(queries);
}

function putNew(queries: QueryClient, image: Image): void {
  queries.setQueryData<ImagePage>(keys.images, (old) =>
    old === undefined ? undefined : { ...old, items: [image, ...old.items.filter(({ id }) => id !== image.id)] },
  );
}

/** A ready image is an environment to choose. */
function readImagesAgain(queries: QueryClient): void {
  readAgain(queries, keys.images);
  readAgain(queries, keys.options);
}
