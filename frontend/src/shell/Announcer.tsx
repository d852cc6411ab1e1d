// Announces changes of my sessions to screen readers, on every page.
import { useEffect, useRef, useState } from "react";

import { useActiveSessions } from "~/api/queries";
import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { lookOf } from "~/ui/sessionLook";

export function Announcer() {
  const sessions = useActiveSessions().data?.items;
  const before = useRef<readonly Session[] | null>(null);
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (sessions === undefined) return;
    const news = before.current === null ? [] : newsOf(before.current, sessions);
    before.current = sessions;
    if (news.length > 0) setMessage(news.join(" "));
  }, [sessions]);
  return (
    <p className="hidden" role="status">
      {message}
    </p>
  );
}

/** A sentence for each session that appeared, changed its state, or is gone. */
export function newsOf(before: readonly Session[], after: readonly Session[]): string[] {
  const gone = before.filter(({ id }) => !after.some((session) => session.id === id));
  const changed = after.filter(({ id, state }) => before.find((session) => session.id === id)?.state !== state);
  return [
    ...changed.map((session) => strings.sessions.now(session.name, lookOf(session).word)),
    ...gone.map(({ name }) => strings.sessions.now(name, strings.states.ended)),
  ];
}
