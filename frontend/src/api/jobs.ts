// Batch jobs: every query and every mutation as a hook.
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { answer, client, done } from "./client";
import { fromResponse } from "./errors";
import { putJob } from "./jobCache";
import { jobKeys, type JobsFilter } from "./jobKeys";
import { whole, type JobActionsAsked, type JobAgain, type JobFile, type JobForm, type JobPreset, type JobSubmit } from "./jobTypes";
import { requestKeys } from "./requestKeys";

export const TASK_STATES = ["all", "pending", "running", "ended", "failed"] as const;
export type TaskState = (typeof TASK_STATES)[number];

const JOBS_PAGE = 100;
const TASKS_PAGE = 100;
const ENDED_TOLD = 50;
const USE_EVERY_MS = 5_000;
const USE_STARTS_MS = 1_000;
const SUBMISSIONS_EVERY_MS = 10_000;

/** The id in a page's URL may not be a job's. */
function numberOf(id: string): number {
  if (!/^[1-9]\d{0,8}$/.test(id)) throw fromResponse(404, null);
  return Number(id);
}

export const jobReads = {
  list: ({ scope, query }: JobsFilter) =>
    infiniteQueryOptions({
      queryKey: jobKeys.list({ scope, query }),
      queryFn: ({ pageParam }) =>
        answer(() =>
          client.GET("/jobs", {
            params: { query: { state: scope, query, limit: JOBS_PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
          }),
        ),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  job: (id: string) =>
    queryOptions({
      queryKey: jobKeys.job(id),
      queryFn: () => answer(() => client.GET("/jobs/{job_id}", { params: { path: { job_id: numberOf(id) } } })),
    }),
  tasks: (id: string, state: TaskState) =>
    infiniteQueryOptions({
      queryKey: jobKeys.tasks(id, state),
      queryFn: ({ pageParam }) =>
        answer(() =>
          client.GET("/jobs/{job_id}/tasks", {
            params: { path: { job_id: numberOf(id) }, query: { state, limit: TASKS_PAGE, after: pageParam } },
          }),
        ),
      initialPageParam: -1,
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  task: (id: string, task: number) =>
    queryOptions({
      queryKey: jobKeys.task(id, task),
      queryFn: () => answer(() => client.GET("/jobs/{job_id}/tasks/{task}", { params: { path: { job_id: numberOf(id), task } } })),
    }),
  /** Querying is what keeps the job's use measured, so this polls; but not on a hidden page. */
  use: (id: string, task: number | null) =>
    queryOptions({
      queryKey: jobKeys.use(id, task),
      queryFn: () =>
        answer(() => client.GET("/jobs/{job_id}/use", { params: { path: { job_id: numberOf(id) }, query: task === null ? {} : { task } } })),
      refetchInterval: ({ state }) => (state.data?.state === "starting" ? USE_STARTS_MS : USE_EVERY_MS),
      gcTime: 0,
    }),
  /** What its GPUs have done so far; its meter reports once a minute while it runs. */
  gpus: (id: string, task: number | null, live: boolean) =>
    queryOptions({
      queryKey: jobKeys.gpus(id, task, live),
      queryFn: () =>
        answer(() => client.GET("/jobs/{job_id}/gpus", { params: { path: { job_id: numberOf(id) }, query: task === null ? {} : { task } } })),
      refetchInterval: live ? 30_000 : false,
    }),
  again: (id: string) =>
    queryOptions({
      queryKey: jobKeys.again(id),
      queryFn: async (): Promise<JobAgain> => {
        const again = await answer(() => client.GET("/jobs/{job_id}/again", { params: { path: { job_id: numberOf(id) } } }));
        return { ...again, form: whole(again.form) };
      },
      // It depends on how the job ends, and the other job gets no event about that.
      gcTime: 0,
    }),
  /** Submissions without a known job. */
  submissions: queryOptions({
    queryKey: jobKeys.submissions,
    queryFn: async () => (await answer(() => client.GET("/jobs/submissions"))).items,
    refetchInterval: ({ state }) => (state.data?.some((submission) => submission.state === "open") ? SUBMISSIONS_EVERY_MS : false),
  }),
  submissionAgain: (id: string) =>
    queryOptions({
      queryKey: jobKeys.submissionAgain(id),
      queryFn: async (): Promise<JobAgain> => {
        const again = await answer(() => client.GET("/jobs/submissions/{submission_id}/again", { params: { path: { submission_id: id } } }));
        return { ...again, form: whole(again.form) };
      },
    }),
  /** What the last jobs of a name needed. */
  lastUse: (name: string) =>
    queryOptions({
      queryKey: jobKeys.lastUse(name),
      queryFn: () => answer(() => client.GET("/jobs/last-use", { params: { query: { name } } })),
      staleTime: 60_000,
      retry: false,
    }),
  presets: queryOptions({
    queryKey: jobKeys.presets,
    queryFn: async (): Promise<JobPreset[]> => {
      const { items } = await answer(() => client.GET("/jobs/presets"));
      return items.map((preset) => ({ ...preset, form: whole(preset.form) }));
    },
  }),
};

/** The jobs that ended most recently. */
export const readEndedJobs = async () => (await answer(() => client.GET("/jobs", { params: { query: { state: "ended", limit: ENDED_TOLD } } }))).items;

/** The script for a form, including lines that no field shows. */
export const composeScript = (form: JobForm, kept: string[]) => answer(() => client.POST("/jobs/compose", { body: { form, kept } }));

export const parseScript = async (script: string) => {
  const parsed = await answer(() => client.POST("/jobs/parse", { body: { script } }));
  return { ...parsed, form: whole(parsed.form) };
};

/** A piece of a job's output; a negative offset counts from the end. */
export const readJobOutput = (id: string, query: { file: JobFile; task?: number; offset: number; limit: number }) =>
  answer(() => client.GET("/jobs/{job_id}/output", { params: { path: { job_id: numberOf(id) }, query } }));

export const readTextFile = (path: string) => answer(() => client.GET("/files/text", { params: { query: { path } } }));

export const useCheckJob = () =>
  useMutation({ mutationFn: (asked: JobSubmit) => answer(() => client.POST("/jobs/check", { body: asked })) });

export function useSubmitJob() {
  const queries = useQueryClient();
  const [requests] = useState(requestKeys);
  return useMutation({
    mutationFn: (asked: JobSubmit) =>
      answer(() => client.POST("/jobs", { body: asked, params: { header: { "idempotency-key": requests.of(asked) } } })),
    onSuccess: (job) => {
      requests.done();
      putJob(queries, job);
    },
    onError: () => void queries.invalidateQueries({ queryKey: jobKeys.submissions }),
  });
}

export function useForgetSubmission() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => done(() => client.DELETE("/jobs/submissions/{submission_id}", { params: { path: { submission_id: id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: jobKeys.submissions }),
  });
}

export function useJobActions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: JobActionsAsked) => answer(() => client.POST("/jobs/actions", { body: asked })),
    onSettled: (_answer, _problem, { ids }) => {
      void queries.invalidateQueries({ queryKey: jobKeys.lists });
      for (const id of new Set(ids.map(arrayOf))) void queries.invalidateQueries({ queryKey: jobKeys.job(id) });
    },
  });
}

/** The job that a task belongs to: `123` for `123_7` and `123_[0-9]`. */
const arrayOf = (id: string) => id.split("_")[0] ?? id;
