// Notifications for jobs whose owner asked for them: started, ended.
import type { JobRow } from "~/api/jobTypes";
import { isOver, isRunning, lookOfJob } from "~/jobs/state";
import { strings } from "~/strings/en";
import { showNotice } from "./notices";

/** News older than this is none: it came late, or again. */
const FRESH_MS = 5 * 60_000;

const told = new Set<string>();

export function tellOfJobs(rows: readonly JobRow[], now: number): void {
  for (const row of rows) {
    const at = isOver(row) ? row.ended_at : isRunning(row) ? row.started_at : null;
    const tag = `job-${row.id}-${isOver(row) ? "ended" : "started"}`;
    if (!row.notify || at === null || now - Date.parse(at) > FRESH_MS || told.has(tag)) continue;
    told.add(tag);
    showNotice({ tag, title: strings.jobs.now(row.name, lookOfJob(row).word), body: row.end?.text ?? "" });
  }
}
