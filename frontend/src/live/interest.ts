// What the pages that are open want of the one stream besides what everybody gets. Only administrators are given it.
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
  /** Calls `read` whenever it changes; returns how to stop that. */
  follow: (read: () => void) => {
    readers.add(read);
    return () => void readers.delete(read);
  },
};

/** The stream carries it while the component is there. */
export function useInterest(also: Also): void {
  useEffect(() => {
    count(also, 1);
    return () => count(also, -1);
  }, [also]);
}
