// On top of the sessions: those that ended badly, until they have been seen or dismissed.
import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";

import { fromThrown } from "~/api/errors";
import { useUnseenEnds } from "~/api/queries";
import type { Session } from "~/api/types";
import { useSeeEnd } from "~/api/writes";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { lookOf } from "~/ui/sessionLook";
import classes from "./EndedBadly.module.css";
import { StartAgain } from "./StartAgain";
import { standsOnTop } from "./filter";

const words = strings.sessions;

export function EndedBadly() {
  const [last, setLast] = useState<Session | null>(null);
  const see = useSeeEnd();
  const unseen = useUnseenEnds().data?.items.filter(standsOnTop) ?? [];
  if (unseen.length === 0 && last === null) return null;
  const set = (session: Session, seen: boolean) =>
    see.mutate({ id: session.id, seen }, { onSuccess: () => setLast(seen ? session : null) });
  return (
    <section className={classes["section"]} aria-labelledby="ended-badly-title">
      <h2 id="ended-badly-title" className="section-title">
        {words.endedBadly}
      </h2>
      <ul className={classes["list"]}>
        {unseen.map((session) => (
          <li key={session.id} className={`card ${classes["item"]}`} data-session={session.id}>
            <p className={classes["what"]}>
              <StateMark look={lookOf(session)} />
              <Link to={pages.session(session.id)}>{session.name}</Link>
              <StateWord look={lookOf(session)} />
              {session.ended_at !== null && <Time at={session.ended_at} />}
            </p>
            <p className={classes["why"]}>{session.end?.text}</p>
            <div className={classes["act"]}>
              <StartAgain session={session} />
              <Button variant="subtle" aria-label={`${words.dismiss}: ${session.name}`} onClick={() => set(session, true)}>
                {words.dismiss}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {last !== null && (
        <p className={classes["undo"]} role="status">
          {words.dismissed(last.name)}{" "}
          <Button variant="subtle" size="xs" onClick={() => set(last, false)}>
            {words.undo}
          </Button>
        </p>
      )}
      {see.error !== null && <p role="alert">{fromThrown(see.error).message}</p>}
    </section>
  );
}
