// A start in stages with their times, the reason for waiting in words, and its code below.
import type { ProgressEvent, Session } from "~/api/types";
import { clock, exact, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { StateMark } from "~/ui/StateMark";
import type { Look } from "~/ui/look";
import classes from "./Stages.module.css";
import { stagesOf, type Stage } from "./stages";

const SAID_AT_MOST = 6;

export function Stages({ session, events }: { session: Session; events: readonly ProgressEvent[] }) {
  const stages = stagesOf(session, events);
  return (
    <ol className={classes["stages"]}>
      {stages.map((stage, index) => (
        <StageRow key={stage.name} stage={stage} before={stages.slice(0, index).findLast(({ at }) => at !== null)} session={session} />
      ))}
    </ol>
  );
}

function StageRow({ stage, before, session }: { stage: Stage; before: Stage | undefined; session: Session }) {
  const current = stage.state === "now";
  const reason = current ? session.reason : null;
  const messages = current ? stage.messages.slice(-SAID_AT_MOST) : stage.messages.slice(-1);
  return (
    <li className={classes["stage"]} data-state={stage.state} aria-current={current ? "step" : undefined}>
      <span className={classes["mark"]}>
        <StateMark look={LOOKS[stage.state]} />
      </span>
      <div className={classes["body"]}>
        <p className={classes["head"]}>
          <strong>{strings.states[stage.name]}</strong>
          <StageTime stage={stage} before={before} />
        </p>
        {reason !== null ? (
          <Reason session={session} />
        ) : (
          messages.map((message) => (
            <p key={message} className={classes["message"]}>
              {message}
            </p>
          ))
        )}
      </div>
    </li>
  );
}

const LOOKS: Record<Stage["state"], Pick<Look, "shape" | "tone">> = {
  done: { shape: "check", tone: "good" },
  now: { shape: "half", tone: "wait" },
  next: { shape: "dotted", tone: "idle" },
  missed: { shape: "dotted", tone: "idle" },
};

function StageTime({ stage, before }: { stage: Stage; before: Stage | undefined }) {
  const now = useNow(1);
  if (stage.state === "missed") return <span className="quiet">{strings.session.stageNotReached}</span>;
  if (stage.at === null) {
    const skipped = stage.name === "queued" && stage.state === "done";
    return skipped ? <span className="quiet">{strings.session.noWait}</span> : null;
  }
  if (stage.state === "now") {
    return (
      <time className="quiet" dateTime={stage.at} title={exact(stage.at)}>
        {strings.session.since(span(Math.max(0, (now - Date.parse(stage.at)) / 1000)))}
      </time>
    );
  }
  const took = before?.at == null ? null : (Date.parse(stage.at) - Date.parse(before.at)) / 1000;
  return (
    <time className="quiet" dateTime={stage.at} title={exact(stage.at)}>
      {took === null ? clock(stage.at, now) : strings.session.after(span(took))}
    </time>
  );
}

function Reason({ session }: { session: Session }) {
  const now = useNow(60);
  const { queue } = session;
  return (
    <div className={classes["reason"]}>
      <p>{session.reason}</p>
      {queue !== null && (
        <p>
          {strings.sessions.place(queue.position, queue.of)} ·{" "}
          {queue.expected_start === null
            ? strings.sessions.expectedUnknown
            : strings.sessions.expected(clock(queue.expected_start, now))}
          <br />
          {queue.order}
        </p>
      )}
      {session.reason_code !== null && <p className={classes["code"]}>{strings.session.code(session.reason_code)}</p>}
    </div>
  );
}
