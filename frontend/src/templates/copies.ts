// A user's own copies of the templates: how they compare with the site's versions, and actions on them.
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { keys } from "~/api/keys";
import type { paths } from "~/api/schema.gen";
import type { Answer } from "~/api/types";

export type Copy = Answer<paths["/templates/copies"]["get"]>["items"][number];
export type CellChange = Answer<paths["/templates/{template_id}/difference"]["get"]>["cells"][number];
export type Settled = "keep" | "replace";

const copiesKey = [...keys.templates, "copies"] as const;
const differenceKey = (id: string) => [...keys.templates, id, "difference"] as const;

// Files change without the portal's knowledge, so every page that needs them refetches.
const copiesRead = queryOptions({
  queryKey: copiesKey,
  queryFn: () => answer(() => client.GET("/templates/copies")),
  staleTime: 0,
  retry: false,
});

export const useCopies = () => useQuery(copiesRead);

export function useCopyState(id: string): Copy["state"] | undefined {
  return useCopies().data?.items.find((copy) => copy.id === id)?.state;
}

export const useDifference = (id: string) =>
  useQuery({
    queryKey: differenceKey(id),
    queryFn: () =>
      answer(() => client.GET("/templates/{template_id}/difference", { params: { path: { template_id: id } } })),
    staleTime: 0,
    retry: false,
  });

/** Keeps the user's copy for good, or replaces it with the site's version. */
export function useSettle(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (how: Settled) =>
      answer(() =>
        client.POST("/templates/{template_id}/copy", { params: { path: { template_id: id } }, body: { how } }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: copiesKey });
      void queries.invalidateQueries({ queryKey: differenceKey(id) });
    },
  });
}
