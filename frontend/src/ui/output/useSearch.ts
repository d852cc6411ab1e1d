import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";

import type { OutputBuffer } from "./buffer";
import { Finder, MATCHES_AT_MOST } from "./search";

const TYPING_PAUSE_MS = 150;
/** How often matches are recounted while output streams in. */
const COUNT_EVERY_MS = 1_000;

export interface Search {
  typed: string;
  /** The search text: the typed text, debounced. */
  text: string;
  type: (text: string) => void;
  count: number;
  more: boolean;
  /** Which match is shown, from 1; 0 for none. */
  index: number;
  /** Its line, counting removed lines. */
  target: number | null;
  step: (by: number) => void;
}

/** Searches the buffered output, and steps from match to match. */
export function useSearch(buffer: OutputBuffer, version: number): Search {
  const [typed, type] = useState("");
  const [text] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const counted = useThrottled(version, COUNT_EVERY_MS);
  const [target, setTarget] = useState<number | null>(null);
  // Lines are counted from the first ever buffered, so they keep their number when earlier ones are removed.
  const [finder] = useState(() => new Finder());
  const matches = useMemo(() => (counted < 0 ? [] : finder.find(buffer, text)), [finder, buffer, text, counted]);
  const position = target === null ? -1 : matches.indexOf(target);
  const step = (by: number) => {
    if (matches.length === 0) return;
    const from = position < 0 ? (by > 0 ? -1 : 0) : position;
    setTarget(matches[(from + by + matches.length) % matches.length] ?? null);
  };
  return {
    typed,
    text,
    type: (next) => {
      type(next);
      setTarget(null);
    },
    count: matches.length,
    more: matches.length >= MATCHES_AT_MOST,
    index: position + 1,
    target: position < 0 ? null : target,
    step,
  };
}

/** A value that changes at most once per given number of ms. */
function useThrottled(value: number, everyMs: number): number {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = value;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setShown(latest.current);
    }, everyMs);
  }, [value, everyMs]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return shown;
}
