// A job's expected start, its elapsed time or its run time, whichever applies.
import { isOver } from "~/api/jobStates";
import type { JobRow } from "~/api/jobTypes";
import { clock, exact, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Time } from "~/ui/Time";
import { TimeBar } from "~/ui/TimeBar";

const words = strings.jobs;

export function TimeCell({ row }: { row: JobRow }) {
  if (isOver(row)) return <Ended row={row} />;
  if (row.started_at === null) return <Expected row={row} />;
  return <TimeBar startedAt={row.started_at} endsAt={row.ends_at} limitS={row.walltime_s} />;
}

function Expected({ row }: { row: JobRow }) {
  const now = useNow(60);
  if (row.expected_start === null) return <span className="quiet">{words.startUnknown}</span>;
  return (
    <time className="quiet" dateTime={row.expected_start} title={exact(row.expected_start)}>
      {words.starts(clock(row.expected_start, now))}
    </time>
  );
}

function Ended({ row }: { row: JobRow }) {
  const ran =
    row.started_at === null || row.ended_at === null
      ? null
      : Math.max(0, (Date.parse(row.ended_at) - Date.parse(row.started_at)) / 1000);
  return (
    <span>
      {row.ended_at !== null && <Time at={row.ended_at} />}
      <span className="quiet"> {ran === null ? words.neverRan : words.ranFor(span(ran))}</span>
    </span>
  );
}
