// How much of a time limit is left: in words, and as a bar.
import { span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Time } from "./Time";
import classes from "./TimeBar.module.css";

interface TimeBarProps {
  startedAt: string;
  endsAt: string | null;
  limitS: number | null;
  /** Stands first on a page: larger, with the times of start and end under the bar. */
  large?: boolean;
}

export function TimeBar({ startedAt, endsAt, limitS, large = false }: TimeBarProps) {
  const now = useNow(10);
  const elapsed = Math.max(0, (now - Date.parse(startedAt)) / 1000);
  const part = limitS === null || limitS === 0 ? null : Math.min(1, elapsed / limitS);
  return (
    <div className={classes["bar"]} data-large={large || undefined}>
      <span>
        {endsAt === null ? span(elapsed) : <Time at={endsAt} as="left" />}
        {limitS !== null && <span className="quiet"> {strings.time.ofLimit(span(limitS))}</span>}
      </span>
      {part !== null && (
        <span className={classes["track"]} aria-hidden="true">
          <span style={{ width: `${Math.round(part * 100)}%` }} data-high={part > 0.9 || undefined} />
        </span>
      )}
      {large && (
        <span className={classes["ends"]}>
          <span>
            {strings.time.started} <Time at={startedAt} as="clock" />
          </span>
          {endsAt !== null && (
            <span>
              {strings.time.ends} <Time at={endsAt} as="clock" />
            </span>
          )}
        </span>
      )}
    </div>
  );
}
