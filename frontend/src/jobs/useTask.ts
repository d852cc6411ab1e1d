// The selected array task, in the page's URL, where the list of tasks links to it: at first one that runs or has failed.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "react-router-dom";

import type { JobDetail } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { numbersOf } from "~/lib/ranges";

export function useTask({ id, array }: JobDetail): [string, (task: string) => void] {
  const [params, setParams] = useSearchParams();
  const chosen = params.get("task");
  const wanted = (array?.running ?? 0) > 0 ? "running" : "failed";
  const looks = chosen === null && array !== null && array[wanted] > 0;
  const { data } = useInfiniteQuery({ ...jobReads.tasks(id, wanted), enabled: looks });
  const firstTask = looks ? data?.pages[0]?.items[0]?.id.split("_")[1] : undefined;
  // Kept in the URL: the page stays with a task after its end.
  useEffect(() => {
    if (firstTask !== undefined) setParams({ task: firstTask }, { replace: true, preventScrollReset: true });
  }, [firstTask, setParams]);
  const first = numbersOf(array?.range ?? "")?.[0] ?? 0;
  return [chosen ?? firstTask ?? String(first), (task) => setParams({ task }, { replace: true, preventScrollReset: true })];
}
