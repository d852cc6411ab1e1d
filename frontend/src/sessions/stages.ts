// A session's way from submitted to ready as stages with times: past, current and future.
import type { ProgressEvent, Session } from "~/api/types";

export const STAGES = ["submitted", "queued", "allocated", "starting", "ready"] as const;
export type StageName = (typeof STAGES)[number];

export interface Stage {
  name: StageName;
  state: "done" | "now" | "next" | "missed";
  /** When it was reached; null if it has not been, or was skipped. */
  at: string | null;
  /** The messages during it, oldest first. */
  messages: string[];
}

/** Every stage of a session, from its timestamps and its events. */
export function stagesOf(session: Session, events: readonly ProgressEvent[]): Stage[] {
  const reached = reachedIndex(session, events);
  const over = session.state === "ended" || session.state === "stopping";
  return STAGES.map((name, index) => ({
    name,
    at: index <= reached ? timeOf(name, session, events) : null,
    messages: messagesOf(name, events),
    state: stateAt(index, reached, over),
  }));
}

function stateAt(index: number, reached: number, over: boolean): Stage["state"] {
  if (index > reached) return over ? "missed" : "next";
  const isLast = index === STAGES.length - 1;
  return index === reached && !over && !isLast ? "now" : "done";
}

/** The furthest stage reached; for an ended session, by its timestamps. */
function reachedIndex(session: Session, events: readonly ProgressEvent[]): number {
  const index = stageIndex(session.state);
  if (index >= 0) return index;
  const byTime = session.ready_at !== null ? 4 : session.started_at !== null ? 2 : session.queued_at !== null ? 1 : 0;
  return Math.max(byTime, ...events.map((event) => stageIndex(event.state)));
}

function stageIndex(state: string): number {
  return (STAGES as readonly string[]).indexOf(state);
}

function timeOf(name: StageName, session: Session, events: readonly ProgressEvent[]): string | null {
  const times: Partial<Record<StageName, string | null>> = {
    submitted: session.created_at,
    queued: session.queued_at,
    allocated: session.started_at,
    ready: session.ready_at,
  };
  return times[name] ?? events.find((event) => event.state === name)?.at ?? null;
}

/** Each sentence once; repeated reasons are dropped. */
function messagesOf(name: StageName, events: readonly ProgressEvent[]): string[] {
  const messages = events.filter((event) => event.state === name && event.message !== "").map((event) => event.message);
  return [...new Set(messages)];
}
