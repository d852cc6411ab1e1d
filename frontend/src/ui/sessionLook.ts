// A session's state as a shape, a tone and a word. Ended sessions differ by how they ended.
import type { Session, SessionEnd } from "~/api/types";
import { strings } from "~/strings/en";
import type { Look, Shape, Tone } from "./look";

const LIVE: Record<Exclude<Session["state"], "ended">, [Shape, Tone]> = {
  submitted: ["dotted", "wait"],
  queued: ["quarter", "wait"],
  allocated: ["half", "wait"],
  starting: ["most", "wait"],
  ready: ["full", "good"],
  stopping: ["square", "wait"],
};

const ENDS: Record<Exclude<keyof typeof strings.ends, "other">, [Shape, Tone]> = {
  finished: ["check", "idle"],
  stopped: ["square", "idle"],
  cancelled: ["square", "idle"],
  time_limit: ["clock", "idle"],
  idle: ["clock", "idle"],
  oom: ["cross", "bad"],
  app_failed: ["cross", "bad"],
  no_jupyter: ["cross", "bad"],
  no_program: ["cross", "bad"],
  gpu_oom: ["cross", "bad"],
  start_timeout: ["cross", "bad"],
  node_failed: ["cross", "bad"],
  stopped_by_admin: ["square", "bad"],
  slurm_cancelled: ["square", "bad"],
  preempted: ["square", "bad"],
};

/** Slurm's reasons for a job that does not start by itself. */
const HELD = /^(JobHeld|JobHold|launch_failed_requeued_held|job_requeued_in_held_state)/;

export function lookOf(session: Pick<Session, "state" | "end" | "suspended" | "reason_code">): Look {
  if (session.state === "ended") return lookOfEnd(session.end);
  if (session.suspended) return { shape: "square", tone: "wait", word: strings.stateWords.suspended };
  if (session.state === "queued" && HELD.test(session.reason_code ?? "")) {
    return { shape: "square", tone: "wait", word: strings.stateWords.held };
  }
  const [shape, tone] = LIVE[session.state];
  return { shape, tone, word: strings.states[session.state] };
}

function lookOfEnd(end: SessionEnd | null): Look {
  const code = end?.code ?? "stopped";
  if (!isKnownEnd(code)) return { shape: "cross", tone: "bad", word: strings.ends.other };
  const [shape, tone] = ENDS[code];
  return { shape, tone, word: strings.ends[code] };
}

function isKnownEnd(code: string): code is keyof typeof ENDS {
  return Object.hasOwn(ENDS, code);
}

/** Still waiting: it can be cancelled without losing anything. */
export const isWaiting = ({ state }: Pick<Session, "state">) =>
  state === "submitted" || state === "queued" || state === "allocated" || state === "starting";
