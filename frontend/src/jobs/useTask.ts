// The selected array task, in the page's URL, where the list of tasks links to it.
import { useSearchParams } from "react-router-dom";

import type { JobDetail } from "~/api/jobTypes";
import { numbersOf } from "~/lib/ranges";

export function useTask({ array }: JobDetail): [string, (task: string) => void] {
  const [params, setParams] = useSearchParams();
  const first = numbersOf(array?.range ?? "")?.[0] ?? 0;
  return [params.get("task") ?? String(first), (task) => setParams({ task }, { replace: true, preventScrollReset: true })];
}
