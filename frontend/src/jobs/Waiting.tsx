// Why a job waits, since when that is known, and when it is expected to start.
import { isOver, isPending } from "~/api/jobStates";
import type { JobRow } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { TimeCell } from "./TimeCell";
import classes from "./Waiting.module.css";

const words = strings.jobs.job;

export function Waiting({ job }: { job: JobRow }) {
  if (isOver(job)) return null;
  if (!isPending(job)) {
    return (
      <div className={classes["waiting"]}>
        <TimeCell row={job} />
      </div>
    );
  }
  return (
    <div className={classes["waiting"]}>
      {job.reason !== null && <p>{job.reason}</p>}
      <p>
        <TimeCell row={job} />
      </p>
      <p className="quiet small">{words.waitingNote}</p>
      {job.reason_code !== null && <p className={classes["code"]}>{words.slurm(`${job.state} (${job.reason_code})`)}</p>}
    </div>
  );
}
