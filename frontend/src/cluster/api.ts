// The Cluster page's queries. The stream reports changes; nothing polls.
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { ClusterHistory } from "~/api/types";

export type Span = ClusterHistory["span"];
export const PAGE = 50;
const FRESH_MS = 2_000;
const HISTORY_STALE_MS = 60_000;

export interface QueueAsked {
  state: "active" | "running" | "waiting" | "ended";
  partition: string;
  gpuType: string;
  text: string;
  mine: boolean;
  page: number;
}

export const clusterKeys = {
  snapshot: ["cluster", "snapshot"] as const,
  mine: ["cluster", "mine"] as const,
  jobs: ["cluster", "jobs"] as const,
  node: ["cluster", "node"] as const,
  job: ["cluster", "job"] as const,
};

export const clusterReads = {
  snapshot: queryOptions({ queryKey: clusterKeys.snapshot, queryFn: () => answer(() => client.GET("/cluster")) }),
  jobs: (asked: QueueAsked) =>
    queryOptions({
      queryKey: [...clusterKeys.jobs, asked],
      queryFn: () =>
        answer(() =>
          client.GET("/cluster/jobs", {
            params: {
              query: {
                state: asked.state,
                partition: asked.partition,
                gpu_type: asked.gpuType,
                query: asked.text,
                own: asked.mine,
                offset: (asked.page - 1) * PAGE,
                limit: PAGE,
              },
            },
          }),
        ),
      staleTime: FRESH_MS,
      placeholderData: keepPreviousData,
    }),
  node: (name: string) =>
    queryOptions({
      queryKey: [...clusterKeys.node, name],
      queryFn: () => answer(() => client.GET("/cluster/nodes/{name}", { params: { path: { name } } })),
      staleTime: FRESH_MS,
    }),
  job: (id: number) =>
    queryOptions({
      queryKey: [...clusterKeys.job, id],
      queryFn: () => answer(() => client.GET("/cluster/jobs/{job_id}", { params: { path: { job_id: id } } })),
      staleTime: FRESH_MS,
    }),
  history: (span: Span) =>
    queryOptions({
      queryKey: ["cluster", "history", span],
      queryFn: () => answer(() => client.GET("/cluster/history", { params: { query: { span } } })),
      staleTime: HISTORY_STALE_MS,
      refetchInterval: HISTORY_STALE_MS,
      placeholderData: keepPreviousData,
    }),
};

export const useClusterJobs = (asked: QueueAsked) => useQuery(clusterReads.jobs(asked));
export const useClusterNode = (name: string) => useQuery(clusterReads.node(name));
export const useClusterJob = (id: number) => useQuery(clusterReads.job(id));
export const useClusterHistory = (span: Span) => useQuery(clusterReads.history(span));
