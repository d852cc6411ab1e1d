// One job as a page: why it waits, how far it is, how it ended; what it uses, writes and runs.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router-dom";

import { Problem } from "~/api/errors";
import { jobReads } from "~/api/jobs";
import type { JobDetail } from "~/api/jobTypes";
import { pages } from "~/paths";
import { StateMark, StateWord } from "~/sessions/StateMark";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { PageButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { ArrayCounts } from "./ArrayCounts";
import { JobButtons } from "./JobButtons";
import { JobEndNote } from "./JobEndNote";
import { JobFacts } from "./JobFacts";
import { JobOutput } from "./JobOutput";
import classes from "./JobPage.module.css";
import { JobScript } from "./JobScript";
import { JobTensorBoard } from "./JobTensorBoard";
import { JobTimeline } from "./JobTimeline";
import { JobUse } from "./JobUse";
import { TaskList } from "./TaskList";
import { Waiting } from "./Waiting";
import { BulkBar } from "./BulkBar";
import { isOver, lookOfJob } from "./state";
import { useSelection } from "./useSelection";
import { useTask } from "./useTask";
import { resourcesOf } from "./words";

const words = strings.jobs.job;

export default function JobPage() {
  const { id = "" } = useParams();
  const { data: job, error, refetch } = useQuery(jobReads.job(id));
  if (job !== undefined) return <Loaded key={id} job={job} />;
  if (error instanceof Problem && error.kind === "missing") return <Missing />;
  return (
    <Page title={strings.jobs.title}>
      {error !== null ? (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      ) : (
        <div className={classes["columns"]} aria-busy="true">
          <Skeleton height={260} />
          <Skeleton height={260} />
        </div>
      )}
    </Page>
  );
}

function Loaded({ job }: { job: JobDetail }) {
  const look = lookOfJob(job);
  const [task] = useTask(job);
  return (
    <Page
      wide
      tab={job.name}
      title={
        <span className={classes["title"]}>
          {job.name}
          <span className={classes["state"]} role="status">
            <StateMark look={look} />
            <StateWord look={look} />
          </span>
        </span>
      }
      lead={`${job.id} · ${job.partition} · ${resourcesOf(job)}`}
      actions={
        <>
          <JobTensorBoard job={job} />
          <JobButtons job={job} />
        </>
      }
    >
      <div className={classes["columns"]}>
        <div className={classes["main"]}>
          {isOver(job) ? (
            <JobEndNote job={job} />
          ) : (
            <div className={`card ${classes["panel"]}`}>
              <Waiting job={job} />
            </div>
          )}
          {job.array !== null && <Tasks job={job} array={job.array} />}
          <section className={`card ${classes["panel"]}`} aria-labelledby="job-output">
            <h2 className="section-title" id="job-output">
              {words.output}
            </h2>
            <JobOutput job={job} />
          </section>
          <JobScript job={job} />
        </div>
        <div className={`card ${classes["panel"]} ${classes["side"]}`}>
          <JobUse job={job} task={Number(task)} />
          <JobFacts job={job} />
          <JobTimeline job={job} />
        </div>
      </div>
    </Page>
  );
}

function Tasks({ job, array }: { job: JobDetail; array: NonNullable<JobDetail["array"]> }) {
  const selection = useSelection();
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby="job-tasks">
      <h2 className="section-title" id="job-tasks">
        {strings.jobs.array.tasks(array.total)}
      </h2>
      <ArrayCounts array={array} />
      <TaskList array={job} selection={selection} />
      {selection.targets.length > 0 && <BulkBar selection={selection} />}
    </section>
  );
}

function Missing() {
  return (
    <Page title={words.notFoundTitle}>
      <Empty>
        <p>{words.notFoundText}</p>
        <PageButton to={pages.jobs()} variant="default" mt="md">
          {words.toJobs}
        </PageButton>
      </Empty>
    </Page>
  );
}
