import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";

import { reads } from "~/api/queries";
import type { Check, SessionAsked } from "~/api/types";

const TYPING_PAUSE_MS = 250;

export interface Checked {
  /** The portal's view of what is asked; of what was asked just before while `pending`. */
  check: Check | undefined;
  pending: boolean;
  error: Error | null;
}

/** Asks the portal, a moment after the last keystroke, what would come of this request. */
export function useCheck(asked: SessionAsked): Checked {
  const [settled] = useDebouncedValue(JSON.stringify(asked), TYPING_PAUSE_MS);
  const query = useQuery(reads.check(JSON.parse(settled) as SessionAsked));
  return {
    check: query.data,
    pending: query.isPlaceholderData || query.isPending || settled !== JSON.stringify(asked),
    error: query.error,
  };
}
