import { useEffect } from "react";

import { useActiveSessions } from "~/api/queries";
import { useNow } from "~/lib/useNow";
import { tellOfSoon } from "~/live/notices";

const STEP_S = 30;

/** Watches the clock for sessions that are about to end. Renders nothing. */
export function NoticeWatch() {
  const sessions = useActiveSessions().data?.items;
  const now = useNow(STEP_S);
  useEffect(() => {
    if (sessions !== undefined) tellOfSoon(sessions, now);
  }, [sessions, now]);
  return null;
}
