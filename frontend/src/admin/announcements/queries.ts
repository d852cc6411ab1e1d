// Queries and mutations of announcements for administrators.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { paths } from "~/api/schema.gen";
import { keys } from "~/api/keys";

type Rows = paths["/admin/announcements"]["get"]["responses"][200]["content"]["application/json"];
export type AnnouncementRow = Rows["items"][number];
export type AnnouncementAsked = paths["/admin/announcements"]["post"]["requestBody"]["content"]["application/json"];

const key = ["admin", "announcements"] as const;

export const useAnnouncementRows = () =>
  useQuery(queryOptions({ queryKey: key, queryFn: () => answer(() => client.GET("/admin/announcements")) }));

/** The sessions that a maintenance would cut short; queried once it has a start and an end. */
export const useAffected = (asked: AnnouncementAsked, ready: boolean) =>
  useQuery({
    queryKey: [...key, "affected", asked],
    queryFn: () => answer(() => client.POST("/admin/announcements/affected", { body: asked })),
    enabled: ready,
    placeholderData: keepPreviousData,
  });

export function useSaveAnnouncement(id: number | null) {
  const reread = useReread();
  return useMutation({
    mutationFn: (asked: AnnouncementAsked) =>
      id === null
        ? answer(() => client.POST("/admin/announcements", { body: asked }))
        : answer(() =>
            client.PUT("/admin/announcements/{announcement_id}", { params: { path: { announcement_id: id } }, body: asked }),
          ),
    onSuccess: reread,
  });
}

export function useEndAnnouncement() {
  const reread = useReread();
  return useMutation({
    mutationFn: (id: number) =>
      answer(() => client.DELETE("/admin/announcements/{announcement_id}", { params: { path: { announcement_id: id } } })),
    onSuccess: reread,
  });
}

function useReread() {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: keys.announcements }),
      queries.invalidateQueries({ queryKey: keys.options }),
    ]);
  };
}
