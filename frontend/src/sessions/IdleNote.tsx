import { Button } from "@mantine/core";

import { fromThrown } from "~/api/errors";
import type { Session } from "~/api/types";
import { useSnooze } from "~/api/writes";
import { clock, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Time } from "~/ui/Time";
import classes from "./EndPanel.module.css";

const words = strings.session.idle;

/** Says that a running session is idle, when it will be ended, and how to keep it. */
export function IdleNote({ session }: { session: Session }) {
  const snooze = useSnooze();
  const now = useNow(60);
  const { idle } = session;
  if (idle == null) return null;
  return (
    <section className={`card ${classes["panel"]}`} data-tone="bad" aria-labelledby="idle-title">
      <h2 className={classes["title"]} id="idle-title">
        <span className={classes["bad"]} aria-hidden>
          ◔
        </span>
        {idle.ends_at === null ? words.title : words.titleEnds(clock(idle.ends_at, now))}
        <span className={classes["when"]}>
          {words.since} <Time at={idle.since} />
        </span>
      </h2>
      <p role="alert">{idle.ends_at === null ? words.text : words.textEnds}</p>
      <div className={classes["act"]}>
        {idle.snoozes_left > 0 && (
          <Button variant="default" loading={snooze.isPending} onClick={() => snooze.mutate(session.id)}>
            {words.snooze(span(idle.snooze_minutes * 60))}
          </Button>
        )}
        <span className="quiet small">{words.left(idle.snoozes_left)}</span>
      </div>
      {snooze.error !== null && (
        <p role="alert" className="small">
          {fromThrown(snooze.error).message}
        </p>
      )}
    </section>
  );
}
