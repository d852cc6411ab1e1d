import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";

import { Problem, type FieldProblem } from "~/api/errors";
import { reads } from "~/api/queries";
import type { Check, SessionAsked } from "~/api/types";

const TYPING_PAUSE_MS = 250;

export interface Checked {
  /** The portal's check of the request; of the previous request while `pending`. */
  check: Check | undefined;
  pending: boolean;
  /** What is wrong with it, whether policy refused it or it was malformed. */
  problems: FieldProblem[];
  error: Error | null;
}

/** Asks the portal what this request would yield, a moment after the last keystroke. */
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
