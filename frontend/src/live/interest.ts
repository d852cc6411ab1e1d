// What the open pages request from the one stream beyond the default. Only administrators get it.
import { useEffect } from "react";

export type Also = "sessions" | "queue" | "nodes" | "health";

const wanted = new Map<Also, number>();
const readers = new Set<() => void>();

function count(also: Also, by: number): void {
  wanted.set(also, (wanted.get(also) ?? 0) + by);
  readers.forEach((read) => read());
}

export const interest = {
  current: (): Also[] => [...wanted].filter(([, pages]) => pages > 0).map(([also]) => also).sort(),
  /** Calls `read` on every change; returns the unsubscribe function. */
  follow: (read: () => void) => {
    readers.add(read);
    return () => void readers.delete(read);
  },
};

/** Requests it while the component is mounted. */
export function useInterest(also: Also): void {
  useEffect(() => {
    count(also, 1);
    return () => count(also, -1);
  }, [also]);
}
