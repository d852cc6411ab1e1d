import { useSearchParams } from "react-router-dom";

import { useNow } from "~/lib/useNow";
import type { By, Range } from "./queries";
import { rangeIn } from "./range";

const MINUTE_S = 60;

/** The URL's range and `by`, and their setters. */
export function useRange<B extends By>(choices: readonly B[], otherwise: B) {
  const [params, setParams] = useSearchParams();
  const range = rangeIn(params, useNow(MINUTE_S));
  const by = choices.find((choice) => choice === params.get("by")) ?? otherwise;
  const user = params.get("user") ?? "";
  const change = (next: Partial<Range & { by: B; user: string }>) => {
    const given = Object.entries({ ...range, by, user, ...next }).filter(([, value]) => value !== "");
    setParams(new URLSearchParams(given), { replace: true });
  };
  return { range, by, user, change, query: new URLSearchParams({ ...range, by, ...(user === "" ? {} : { user }) }) };
}
