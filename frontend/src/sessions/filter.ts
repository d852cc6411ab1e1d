import type { Session } from "~/api/types";
import { lookOf } from "~/ui/sessionLook";

/** Whether every word of `text` occurs in what the list shows of a session. */
export function matches(session: Session, text: string): boolean {
  const searched = [
    session.name,
    session.app_title,
    session.environment_title,
    session.node,
    session.resources.partition,
    session.resources.gpu_type,
    lookOf(session).word,
    session.job_id,
  ]
    .join(" ")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** Whether it ended badly and its owner has neither seen nor dismissed that yet. */
export const standsOnTop = (session: Session) => session.end?.seen === false && lookOf(session).tone === "bad";
