// What a job's state means: pending, running or ended, and its name in words.
import { strings } from "~/strings/en";
import type { JobRow } from "./jobTypes";

const OVER = new Set<string>([
  "COMPLETED",
  "CANCELLED",
  "TIMEOUT",
  "DEADLINE",
  "OUT_OF_MEMORY",
  "FAILED",
  "NODE_FAIL",
  "BOOT_FAIL",
  "PREEMPTED",
  "REVOKED",
  "LAUNCH_FAILED",
]);

/**
 * Whether it has ended; true also for a job that Slurm no longer shows and whose end accounting has not reported yet.
 */
export const isOver = ({ state, ended_at }: Pick<JobRow, "state" | "ended_at">) => OVER.has(state) || ended_at !== null;
export const isRunning = ({ state }: Pick<JobRow, "state">) => state === "RUNNING" || state === "COMPLETING" || state === "SUSPENDED";
export const isPending = (row: Pick<JobRow, "state" | "ended_at">) => !isOver(row) && !isRunning(row);
export const isHeld = ({ state, reason_code }: Pick<JobRow, "state" | "reason_code">) =>
  state === "PENDING" && /JobHeld(User|Admin)/.test(reason_code ?? "");

/** Slurm's name of the state; a held job gets its own. */
export const stateOf = (row: Pick<JobRow, "state" | "reason_code">) => (isHeld(row) ? "HELD" : row.state);

/** The state in words; Slurm's own name if there is no word for it here. */
export function stateWord(row: Pick<JobRow, "state" | "reason_code">): string {
  const words: Partial<Record<string, string>> = strings.jobs.states;
  return words[stateOf(row)] ?? row.state;
}
