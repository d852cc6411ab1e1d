import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";

import { Problem, type FieldProblem } from "~/api/errors";
import { reads } from "~/api/queries";
import type { Check, SessionAsked } from "~/api/types";

const TYPING_PAUSE_MS = 250;

export interface Checked {
  /** The portal's view of what is asked; of what was asked just before while `pending`. */
  check: Check | undefined;
  pending: boolean;
  /** What is wrong with it, whether it was considered or refused outright as no request at all. */
  problems: FieldProblem[];
  error: Error | null;
}

/** Asks the portal, a moment after the last keystroke, what would come of this request. */
export function useCheck(asked: SessionAsked): Checked {
  const [settled] = useDebouncedValue(JSON.stringify(asked), TYPING_PAUSE_MS);
  const query = useQuery(reads.check(JSON.parse(settled) as SessionAsked));
  const refused = query.error instanceof Problem ? query.error.fields : [];
  return {
    check: query.data,
    problems: query.error === null ? (query.data?.problems ?? []) : refused,
    pending: query.isPlaceholderData || query.isPending || settled !== JSON.stringify(asked),
    error: query.error,
  };
}
