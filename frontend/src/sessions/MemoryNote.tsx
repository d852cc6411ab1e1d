import type { Session } from "~/api/types";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";
import { Time } from "~/ui/Time";
import classes from "./EndPanel.module.css";
import { useRestart } from "./useRestart";

/** Says that a running session ran out of memory and lost a process, such as a notebook's kernel, to it. */
export function MemoryNote({ session }: { session: Session }) {
  const { next, form } = useRestart(session);
    if (!session.usage?.memory_kills || next.memory_mib == null) return null;
  const at = session.usage.memory_killed_at;
  const words = strings.session.outOfMemory;
  return (
    <section className={`card ${classes["panel"]}`} data-tone="bad" aria-labelledby="memory-title">
      <h2 className={classes["title"]} id="memory-title">
        <span className={classes["bad"]} aria-hidden>
          ✕
        </span>
        {words.title}
        {at != null && (
          <span className={classes["when"]}>
            <Time at={at} />
          </span>
        )}
      </h2>
      <p role="alert">{words.text(session.usage.memory_kills, gb(session.resources.memory_mib))}</p>
      <div className={classes["act"]}>
        <PageButton to={form} variant="default">
          {strings.sessions.startAgainWith(gb(next.memory_mib))}
        </PageButton>
      </div>
    </section>
  );
}
