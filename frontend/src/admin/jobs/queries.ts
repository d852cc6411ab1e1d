import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { paths } from "~/api/schema.gen";

type Queue = paths["/admin/jobs"]["get"]["responses"][200]["content"]["application/json"];
export type QueueRow = Queue["items"][number];
export type JobsAction = paths["/admin/jobs/actions"]["post"]["requestBody"]["content"]["application/json"];
export type JobState = NonNullable<NonNullable<paths["/admin/jobs"]["get"]["parameters"]["query"]>["state"]>;

const key = ["admin", "jobs"] as const;
const EVERY_MS = 10_000;

/** Everybody's jobs; read again every few seconds from the portal's picture while somebody looks, at no cost to Slurm. */
export const useQueue = (state: JobState, query: string) =>
  useQuery({
    queryKey: [...key, state, query],
    queryFn: () => answer(() => client.GET("/admin/jobs", { params: { query: { state, query } } })),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });

export function useJobsAction() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: JobsAction) => answer(() => client.POST("/admin/jobs/actions", { body: asked })),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
}
