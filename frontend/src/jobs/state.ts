// A job's state as a shape, a tone and a word; Slurm's own name stands beneath.
import type { JobRow } from "~/api/jobTypes";
import { stateOf, stateWord } from "~/api/jobStates";
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

export function lookOfJob(row: Pick<JobRow, "state" | "reason_code">): Look {
  const state = stateOf(row);
  const [shape, tone] = isKnown(state) ? LOOKS[state] : LOOKS.UNKNOWN;
  return { shape, tone, word: stateWord(row) };
}

function isKnown(state: string): state is Known {
  return Object.hasOwn(LOOKS, state);
}
