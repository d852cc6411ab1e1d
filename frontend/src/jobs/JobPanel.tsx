// A summary of a job beside the list; the page has all of it.
import { ActionIcon, Skeleton } from "@mantine/core";
import { LinkExternalIcon, XIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";

import type { JobDetail } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import { lookOfJob } from "~/ui/jobLook";
import { JobButtons } from "./JobButtons";
import { JobEndNote } from "./JobEndNote";
import { JobFacts } from "./JobFacts";
import classes from "./JobPanel.module.css";
import { JobTimeline } from "./JobTimeline";
import { JobUse } from "./JobUse";
import { Waiting } from "./Waiting";

const words = strings.jobs;

export function JobPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: job, error, refetch } = useQuery(jobReads.job(id));
  return (
    <aside className={`card ${classes["panel"]}`} aria-label={words.panel.label(job?.name ?? id)}>
      <div className={classes["head"]}>
        <h2 className={classes["title"]}>{job?.name ?? id}</h2>
        <Link to={pages.job(id)} className={classes["whole"]}>
          {words.panel.openPage} <LinkExternalIcon size={12} />
        </Link>
        <ActionIcon aria-label={words.panel.close} onClick={onClose}>
          <XIcon />
        </ActionIcon>
      </div>
      {job === undefined && error === null && <Skeleton height={240} />}
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {job !== undefined && <Short job={job} />}
    </aside>
  );
}

function Short({ job }: { job: JobDetail }) {
  const look = lookOfJob(job);
  return (
    <>
      <p className={classes["state"]} role="status">
        <StateMark look={look} />
        <StateWord look={look} />
      </p>
      <JobEndNote job={job} />
      <Waiting job={job} />
      {job.actions.length > 0 && (
        <div className={classes["actions"]}>
          <JobButtons job={job} size="xs" />
        </div>
      )}
      <JobUse job={job} />
      <JobFacts job={job} />
      <JobTimeline job={job} />
    </>
  );
}
