// What the whole page must know besides its data: whether it is live, and whether the login is still valid.
import { useSyncExternalStore } from "react";

export interface LiveStatus {
  state: "connecting" | "live" | "lost";
  /** When it was lost (ms). */
  since: number | null;
  expired: boolean;
}

let status: LiveStatus = { state: "connecting", since: null, expired: false };
const readers = new Set<() => void>();

function set(change: Partial<LiveStatus>): void {
  status = { ...status, ...change };
  readers.forEach((read) => read());
}

export const live = {
  opened: () => set({ state: "live", since: null, expired: false }),
  lost: (now: number) => {
    if (status.state !== "lost") set({ state: "lost", since: now });
  },
  loginExpired: () => set({ expired: true }),
  current: () => status,
};

export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(
    (reader) => {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    () => status,
  );
}
