// Everybody's jobs, and administrators' actions on them.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { readAgain } from "~/api/inFlight";
import type { paths } from "~/api/schema.gen";
import { useInterest } from "~/live/interest";
import { onNews } from "~/live/news";

export type Queue = paths["/admin/jobs"]["get"]["responses"][200]["content"]["application/json"];
export type QueueRow = Queue["items"][number];
export type JobsAction = paths["/admin/jobs/actions"]["post"]["requestBody"]["content"]["application/json"];
export type JobResult = paths["/admin/jobs/actions"]["post"]["responses"][200]["content"]["application/json"]["results"][number];
export type JobState = NonNullable<NonNullable<paths["/admin/jobs"]["get"]["parameters"]["query"]>["state"]>;

const key = ["admin", "jobs"] as const;

onNews("queue", (queries) => readAgain(queries, key));

/** Everybody's jobs. Nothing polls: the page's stream reports when the queue changes. */
export function useQueue(state: JobState, query: string) {
  useInterest("queue");
  return useQuery({
    queryKey: [...key, state, query],
    queryFn: () => answer(() => client.GET("/admin/jobs", { params: { query: { state, query } } })),
    placeholderData: keepPreviousData,
  });
}

export function useJobsAction() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: JobsAction) => answer(() => client.POST("/admin/jobs/actions", { body: asked })),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
}

/** Where an administrator reads about a job: a session's leads to the session. */
export const pageOfJob = ({ id, session_id }: { id: string | number; session_id: string | null }): string =>
  session_id === null ? `/jobs/${id}` : `/admin/sessions?session=${session_id}`;
