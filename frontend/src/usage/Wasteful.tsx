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
        {jobs.map((one) => (
          <li key={`${one.job_id} ${one.started_at}`}>
            <Link to={one.session_id === null ? pages.job(String(one.job_id)) : pages.session(one.session_id)}>
              {one.session_id === null ? words.job(one.job_id) : words.session(one.job_id)}
            </Link>
            <span>{words.wastefulHours(hours(one.gpu_hours_unused), hours(one.gpu_hours))}</span>
            <span className="quiet">
              {words.wastefulOne(one.gpus, words.percent(hours(one.gpu_percent)))} · <Time at={one.started_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
