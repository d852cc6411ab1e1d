import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { StateMark } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { lookOf } from "~/ui/sessionLook";
import classes from "./EndPanel.module.css";
import { StartAgain } from "./StartAgain";

/** How and why a session ended, what to do about it, and a way to start it again. */
export function EndPanel({ session }: { session: Session }) {
  const look = lookOf(session);
  return (
    <section className={`card ${classes["panel"]}`} data-tone={look.tone} aria-labelledby="end-title">
      <h2 className={classes["title"]} id="end-title">
        <StateMark look={look} />
        {look.word}
        {session.ended_at !== null && (
          <span className={classes["when"]}>
            <Time at={session.ended_at} />
          </span>
        )}
      </h2>
      {session.end !== null && <p>{session.end.text}</p>}
      {session.end?.advice != null && <p>{session.end.advice}</p>}
      <div className={classes["act"]}>
        <StartAgain session={session} />
      </div>
      {session.end?.exit_code != null && session.end.exit_code !== 0 && (
        <p className="quiet small">
          {strings.session.exitCode} {session.end.exit_code}
        </p>
      )}
    </section>
  );
}
