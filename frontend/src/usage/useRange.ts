import { useSearchParams } from "react-router-dom";

import { useNow } from "~/lib/useNow";
import type { By, Range } from "./queries";
import { rangeIn } from "./range";

const MINUTE_S = 60;

/** The URL's range, `by` and order of rows, and their setter; `sorted` is the order if the URL has none. */
export function useRange<B extends By>(choices: readonly B[], otherwise: B, sorted = "") {
  const [params, setParams] = useSearchParams();
  const range = rangeIn(params, useNow(MINUTE_S));
  const by = choices.find((choice) => choice === params.get("by")) ?? otherwise;
  const user = params.get("user") ?? "";
  const sort = params.get("sort") ?? "";
  const change = (next: Partial<Range & { by: B; user: string; sort: string }>) => {
    const given = Object.entries({ ...range, by, user, sort, ...next }).filter(([, value]) => value !== "");
    setParams(new URLSearchParams(given), { replace: true });
  };
  return { range, by, user, sort: sort || sorted, change, query: new URLSearchParams({ ...range, by, ...(user === "" ? {} : { user }) }) };
}
