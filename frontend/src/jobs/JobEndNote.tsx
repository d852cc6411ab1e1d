// How and why a job ended, what to do about it, and a link to submit it again with corrections.
import { useQuery } from "@tanstack/react-query";

import { isOver } from "~/api/jobStates";
import type { JobDetail } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";
import { changedTo } from "~/ui/corrections";
import { lookOfJob } from "~/ui/jobLook";
import classes from "./JobEndNote.module.css";

const words = strings.jobs.job;

export function JobEndNote({ job }: { job: JobDetail }) {
  if (!isOver(job)) return null;
  return (
    <div className={classes["end"]} data-tone={lookOfJob(job).tone}>
      {job.end !== null && <p>{job.end.text}</p>}
      {job.end?.advice != null && <p>{job.end.advice}</p>}
      <SubmitAgain job={job} />
    </div>
  );
}

/** Opens the form filled as this job was; the button names the correction that its end suggests. */
export function SubmitAgain({ job }: { job: JobDetail }) {
  const again = useQuery({ ...jobReads.again(job.id), enabled: job.script !== null }).data;
  if (job.script === null) return null;
  const [first] = again?.corrections ?? [];
  return (
    <div className={classes["again"]}>
      <PageButton to={pages.newJob(new URLSearchParams({ from: job.id }))} variant="filled">
        {first === undefined ? words.submitAgain : words.submitAgainWith(changedTo(first))}
      </PageButton>
      {again?.corrections.map(({ field, why }) => (
        <p key={field} className="quiet small">
          {why}
        </p>
      ))}
    </div>
  );
}
