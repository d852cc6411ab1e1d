// One clock for the page: everything that shows a time ticks together.
import { useSyncExternalStore } from "react";

const TICK_MS = 1000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(() => {
    now = Date.now();
    readers.forEach((read) => read());
  }, TICK_MS);
  return () => {
    readers.delete(reader);
    if (readers.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time in ms, in steps of `stepS` seconds: a component rerenders only when its step changes. */
export function useNow(stepS = 10): number {
  const step = stepS * 1000;
  return useSyncExternalStore(subscribe, () => Math.floor(current() / step) * step);
}

function current(): number {
  if (timer === undefined) now = Date.now();
  return now;
}
