// The jobs that left most of their GPU time unused, with a link to each.
import { Link } from "react-router-dom";

import { hours } from "~/lib/numbers";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Time } from "~/ui/Time";
import classes from "./Wasteful.module.css";
import type { UsageReport } from "./queries";

const words = strings.usage;

export function Wasteful({ jobs }: { jobs: UsageReport["wasteful"] }) {
  if (jobs.length === 0) return null;
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby="wasteful-title">
      <h2 className="section-title" id="wasteful-title">
        {words.wasteful}
      </h2>
      <ul className={classes["list"]}>
        {jobs.map((job) => (
          <li key={`${job.job_id} ${job.started_at}`}>
            <Link to={job.session_id === null ? pages.job(String(job.job_id)) : pages.session(job.session_id)}>
              {job.session_id === null ? words.job(job.job_id) : words.session(job.job_id)}
            </Link>
            <span>{words.wastefulHours(hours(job.gpu_hours_unused), hours(job.gpu_hours))}</span>
            <span className="quiet">
              {words.wastefulOne(job.gpus, words.percent(hours(job.gpu_percent)))} · <Time at={job.started_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
