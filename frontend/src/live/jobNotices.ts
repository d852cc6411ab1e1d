// Notices about jobs whose owner asked for them: browser notifications of start and end while a page is open in the
// background, and a banner once they have ended, whether a page was open then or not.
import { useSyncExternalStore } from "react";

import { isOver, isRunning, stateWord } from "~/api/jobStates";
import type { JobRow } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { showNotice } from "./notices";

/** Older events are ignored: they are late or repeated. */
const FRESH_MS = 5 * 60_000;
/** Since when ends are reported in this browser, and the jobs already reported. */
const TOLD = "dsp.jobs-told";
const REMEMBERED = 200;

interface Remembered {
  since: string;
  ids: string[];
}

const noticed = new Set<string>();
const readers = new Set<() => void>();
let ended: readonly JobRow[] = [];

export const endedJobs = {
  /** Whether notices were ever requested in this browser. */
  wanted: () => remembered() !== null,
  /** Ends are reported in this browser from now on. */
  begin: (now: number) => {
    if (remembered() === null) remember({ since: new Date(now).toISOString(), ids: [] });
  },
  /** Adds the rows that have ended and were not reported yet. */
  add: (rows: readonly JobRow[]) => {
    const { since, ids } = remembered() ?? { since: new Date(Date.now() - FRESH_MS).toISOString(), ids: [] };
    const news = rows.filter(({ id, notify, ended_at }) => notify && ended_at !== null && Date.parse(ended_at) > Date.parse(since) && !ids.includes(id));
    if (news.length === 0) return;
    remember({ since, ids: [...ids, ...news.map(({ id }) => id)].slice(-REMEMBERED) });
    set([...ended, ...news.filter(({ id }) => !isLookedAt(id))]);
  },
  dismiss: () => set([]),
};

function remembered(): Remembered | null {
  try {
    return JSON.parse(localStorage.getItem(TOLD) ?? "null") as Remembered | null;
  } catch {
    return null;
  }
}

const remember = (now: Remembered) => localStorage.setItem(TOLD, JSON.stringify(now));

export function tellOfJobs(rows: readonly JobRow[], now: number): void {
  for (const row of rows) {
    const at = isOver(row) ? row.ended_at : isRunning(row) ? row.started_at : null;
    const tag = `job-${row.id}-${isOver(row) ? "ended" : "started"}`;
    if (!row.notify || at === null || now - Date.parse(at) > FRESH_MS || noticed.has(tag)) continue;
    noticed.add(tag);
    showNotice({ tag, title: strings.jobs.now(row.name, stateWord(row)), body: row.end?.text ?? "" });
  }
  endedJobs.add(rows.filter(({ ended_at }) => ended_at !== null && now - Date.parse(ended_at) <= FRESH_MS));
}

/** The ended jobs to report, in their current state. */
export function useEndedJobs(): readonly JobRow[] {
  return useSyncExternalStore(
    (reader) => {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    () => ended,
  );
}

function set(next: readonly JobRow[]): void {
  ended = next;
  readers.forEach((read) => read());
}

/** Its own page already says it. */
const isLookedAt = (id: string) => !document.hidden && window.location.pathname.endsWith(`/jobs/${id}`);
