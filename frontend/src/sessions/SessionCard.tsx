// One active session in two lines: app and state, where, time, actions.
import { Link } from "react-router-dom";

import type { Session } from "~/api/types";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { GpuCells } from "~/ui/GpuCells";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { sessionCells } from "~/ui/cells";
import { isWaiting, lookOf } from "~/ui/sessionLook";
import { compactResources, environmentOf } from "~/ui/sessionWords";
import { SessionActions } from "./SessionActions";
import classes from "./SessionCard.module.css";
import { UsageLine } from "./UsageLine";

export function SessionCard({ session }: { session: Session }) {
  const look = lookOf(session);
  const titleId = `session-${session.id}`;
  return (
    <article className={`card ${classes["card"]}`} aria-labelledby={titleId} data-session={session.id}>
      <div className={classes["what"]}>
        <StateMark look={look} />
        <div className={classes["names"]}>
          <div className={classes["first"]}>
            <h2 className={classes["name"]} id={titleId}>
              <Link to={pages.session(session.id)}>{session.name}</Link>
            </h2>
            <StateWord look={look} />
          </div>
          <p className={classes["second"]}>
            {session.app_title} · {environmentOf(session)}
          </p>
        </div>
      </div>
      <div className={classes["how"]}>
        <p className={classes["first"]}>
          <Cells session={session} />
          <span className={classes["nowrap"]}>{compactResources(session.resources)}</span>
        </p>
        <p className={classes["second"]}>
          {isWaiting(session) ? <Reason session={session} /> : <UsageLine session={session} />}
        </p>
      </div>
      <div className={classes["where"]}>{isWaiting(session) ? <Place session={session} /> : <Where session={session} />}</div>
      <SessionActions session={session} className={classes["actions"] ?? ""} />
      {isWaiting(session) && <span className={classes["progress"]} style={{ backgroundSize: `${session.progress}% 2px` }} />}
    </article>
  );
}

function Cells({ session }: { session: Session }) {
  const cells = sessionCells(session);
  if (cells.length === 0) return null;
  const uses = cells.map((cell) => cell.use).filter((use) => use != null);
  const label = strings.resources.gpus(cells.length, session.resources.gpu_type);
  return (
    <GpuCells
      cells={cells}
      label={uses.length === 0 ? label : `${label}, ${strings.cells.use(uses.map((use) => `${Math.round(use)} %`))}`}
    />
  );
}

function Reason({ session }: { session: Session }) {
  if (session.reason === null) return <>{strings.states[session.state]}</>;
  return <span {...(session.reason_code === null ? {} : { title: session.reason_code })}>{session.reason}</span>;
}

function Place({ session }: { session: Session }) {
  const now = useNow(60);
  const { queue, node } = session;
  if (node !== null) return <p className={classes["first"]}>{node}</p>;
  if (queue === null) return null;
  return (
    <>
      <p className={classes["first"]}>{strings.sessions.place(queue.position, queue.of)}</p>
      <p className={classes["second"]}>
        {queue.expected_start === null
          ? strings.sessions.expectedUnknown
          : strings.sessions.expected(clock(queue.expected_start, now))}
      </p>
    </>
  );
}

function Where({ session }: { session: Session }) {
  const now = useNow(60);
  const idleEnd = session.idle?.ends_at ?? null;
  return (
    <>
      <p className={classes["first"]}>{session.node}</p>
      {idleEnd !== null && <p className={classes["second"]}>{strings.session.idle.short(clock(idleEnd, now))}</p>}
      {idleEnd === null && session.ends_at !== null && (
        <p className={classes["second"]}>
          <Time at={session.ends_at} as="left" />
        </p>
      )}
    </>
  );
}
