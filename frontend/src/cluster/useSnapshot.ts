// The snapshot, kept current by its own stream: only this page needs it, and only while it is visible.
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { readAgain } from "~/api/inFlight";
import type { ClusterChange, ClusterSnapshot } from "~/api/types";
import { LiveStream } from "~/live/stream";
import { streams } from "~/paths";
import { clusterKeys, clusterReads } from "./api";
import { apply, type Mine } from "./snapshot";

export interface Live {
  snapshot: ClusterSnapshot | undefined;
  mine: Mine;
  error: Error | null;
  retry: () => void;
  /** When Slurm was last read. */
  asOf: string | null;
  /** Since when (ms) the stream is broken; null while it is live. */
  lostSince: number | null;
}

const NOTHING: Mine = {};

export function useSnapshot(): Live {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(clusterReads.snapshot);
  const mine = useQuery({ queryKey: clusterKeys.mine, queryFn: () => NOTHING, enabled: false }).data ?? NOTHING;
  const [seen, setSeen] = useState<string | null>(null);
  const [lostSince, setLostSince] = useState<number | null>(null);
  const known = data !== undefined;

  useEffect(() => {
    if (!known) return;
    const stream = new LiveStream(() => streams.cluster(versionOf(queries)), {
      on: {
        // The event keeps its first name: programs may read the stream.
        picture: (news) => put(queries, news as ClusterSnapshot),
        change: (news) => take(queries, news as ClusterChange),
        mine: (news) => queries.setQueryData(clusterKeys.mine, (news as { nodes: Mine }).nodes),
        seen: (news) => setSeen((news as { as_of: string | null }).as_of),
      },
      onOpen: () => setLostSince(null),
      onLost: () => setLostSince((since) => since ?? Date.now()),
    });
    const onVisibility = () => (document.hidden ? stream.close() : stream.open());
    onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      stream.close();
    };
  }, [queries, known]);

  const asOf = [seen, data?.as_of ?? null].filter((at) => at !== null).sort().at(-1) ?? null;
  return { snapshot: data, mine, error, retry: () => void refetch(), asOf, lostSince };
}

function versionOf(queries: QueryClient): string {
  return queries.getQueryData<ClusterSnapshot>(clusterKeys.snapshot)?.version ?? "";
}

function put(queries: QueryClient, snapshot: ClusterSnapshot): void {
  queries.setQueryData(clusterKeys.snapshot, snapshot);
  readDetailsAgain(queries);
}

/** Refetches everything if a diff does not follow on what is known. */
function take(queries: QueryClient, change: ClusterChange): void {
  const snapshot = queries.getQueryData<ClusterSnapshot>(clusterKeys.snapshot);
  const next = snapshot === undefined ? null : apply(snapshot, change);
  if (next === null) readAgain(queries, clusterKeys.snapshot);
  else put(queries, next);
}

/** Refetches what is open beside the nodes (a page of the queue, a node, a job), and only that. */
function readDetailsAgain(queries: QueryClient): void {
  for (const queryKey of [clusterKeys.jobs, clusterKeys.node, clusterKeys.job]) readAgain(queries, queryKey);
}
