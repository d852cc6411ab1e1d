// A job's state as a shape, a tone and a word; Slurm's own name stands beneath.
import type { JobRow } from "~/api/jobTypes";
import type { Look, Shape, Tone } from "~/sessions/state";
import { strings } from "~/strings/en";

type Known = keyof typeof strings.jobs.states;

const LOOKS: Record<Known, [Shape, Tone]> = {
  PENDING: ["quarter", "wait"],
  HELD: ["square", "wait"],
  CONFIGURING: ["half", "wait"],
  RUNNING: ["full", "good"],
  COMPLETING: ["most", "wait"],
  SUSPENDED: ["square", "wait"],
  STOPPED: ["square", "wait"],
  REQUEUED: ["quarter", "wait"],
  COMPLETED: ["check", "idle"],
  CANCELLED: ["square", "idle"],
  TIMEOUT: ["clock", "bad"],
  DEADLINE: ["clock", "bad"],
  OUT_OF_MEMORY: ["cross", "bad"],
  FAILED: ["cross", "bad"],
  NODE_FAIL: ["cross", "bad"],
  BOOT_FAIL: ["cross", "bad"],
  PREEMPTED: ["square", "bad"],
  REVOKED: ["square", "bad"],
  LAUNCH_FAILED: ["cross", "bad"],
  REQUEUE_HOLD: ["square", "wait"],
  SPECIAL_EXIT: ["square", "wait"],
  UNKNOWN: ["dotted", "idle"],
};

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

/** Whether it has ended; also one that Slurm shows no longer and whose end accounting has not told yet. */
export const isOver = ({ state, ended_at }: Pick<JobRow, "state" | "ended_at">) => OVER.has(state) || ended_at !== null;
export const isRunning = ({ state }: Pick<JobRow, "state">) => state === "RUNNING" || state === "COMPLETING" || state === "SUSPENDED";
export const isPending = (row: Pick<JobRow, "state" | "ended_at">) => !isOver(row) && !isRunning(row);
export const isHeld = ({ state, reason_code }: Pick<JobRow, "state" | "reason_code">) =>
  state === "PENDING" && /JobHeld(User|Admin)/.test(reason_code ?? "");

export function lookOfJob(row: Pick<JobRow, "state" | "reason_code">): Look {
  const state = isHeld(row) ? "HELD" : row.state;
  if (!isKnown(state)) return { shape: "dotted", tone: "idle", word: state };
  const [shape, tone] = LOOKS[state];
  return { shape, tone, word: strings.jobs.states[state] };
}

function isKnown(state: string): state is Known {
  return Object.hasOwn(LOOKS, state);
}
