// A job's state as a shape, a tone and a word, with Slurm's own name below.
import { stateOf, stateWord } from "~/api/jobStates";
import type { JobRow } from "~/api/jobTypes";
import type { ClusterJob } from "~/api/types";
import { strings } from "~/strings/en";
import type { Look, Shape, Tone } from "./look";

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

/** Any user's job in the cluster's queue. */
export function lookOfClusterJob({ state }: Pick<ClusterJob, "state">): Look {
  const word = strings.cluster.jobStates[state] ?? state;
  if (state === "RUNNING") return { word, shape: "full", tone: "good" };
  if (state === "PENDING" || state.startsWith("REQUEUE")) return { word, shape: "clock", tone: "wait" };
  if (state === "COMPLETED") return { word, shape: "check", tone: "idle" };
  if (state === "CANCELLED" || state === "PREEMPTED") return { word, shape: "square", tone: "idle" };
  if (state === "CONFIGURING" || state === "COMPLETING" || state === "SUSPENDED") return { word, shape: "half", tone: "wait" };
  return { word, shape: "cross", tone: "bad" };
}
