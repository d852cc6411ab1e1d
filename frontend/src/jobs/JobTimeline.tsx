import type { JobDetail } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { Time } from "~/ui/Time";
import classes from "./JobTimeline.module.css";

/** The job's history, oldest first. */
export function JobTimeline({ job }: { job: JobDetail }) {
  if (job.events.length === 0) return null;
  return (
    <section aria-labelledby="job-timeline">
      <h2 className="section-title" id="job-timeline">
        {strings.jobs.job.timeline}
      </h2>
      <ol className={classes["events"]}>
        {job.events.map(({ at, text }, index) => (
          <li key={index} className={classes["event"]}>
            <span className={classes["at"]}>
              <Time at={at} as="clock" />
            </span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
