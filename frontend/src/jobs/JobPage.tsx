// One job as a page: why it waits, its progress, how it ended; its use, output and script.
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router-dom";

import { isOver } from "~/api/jobStates";
import type { JobDetail } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { DetailAway, DetailColumns, DetailPanel, DetailTitle } from "~/ui/Detail";
import { Page } from "~/ui/Page";
import { StateMark, StateWord } from "~/ui/StateMark";
import { lookOfJob } from "~/ui/jobLook";
import { resourcesOf } from "~/ui/jobWords";
import { useSelection } from "~/ui/table/useSelection";
import { ArrayCounts } from "./ArrayCounts";
import { BulkBar } from "./BulkBar";
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
import type { Target } from "./actions";
import { useTask } from "./useTask";

const words = strings.jobs.job;

const MISSING = { title: words.notFoundTitle, text: words.notFoundText, back: words.toJobs, to: pages.jobs() };

export default function JobPage() {
  const { id = "" } = useParams();
  const [array, task] = id.split("_");
  return array !== undefined && task !== undefined && /^\d+$/.test(task) ? (
    <Navigate to={pages.job(array, new URLSearchParams({ task }))} replace />
  ) : (
    <JobOf id={id} />
  );
}

function JobOf({ id }: { id: string }) {
  const { data: job, error, refetch } = useQuery(jobReads.job(id));
  if (job !== undefined) return <Loaded key={id} job={job} />;
  return <DetailAway error={error} onRetry={() => void refetch()} title={strings.jobs.title} missing={MISSING} />;
}

function Loaded({ job }: { job: JobDetail }) {
  const look = lookOfJob(job);
  const [task] = useTask(job);
  return (
    <Page
      tab={job.name}
      title={
        <DetailTitle name={job.name}>
          <StateMark look={look} />
          <StateWord look={look} />
        </DetailTitle>
      }
      lead={`${job.id} · ${job.partition} · ${resourcesOf(job)}`}
      actions={
        <>
          <JobTensorBoard job={job} />
          <JobButtons job={job} />
        </>
      }
    >
      <DetailColumns
        side={
          <div className={`card ${classes["card"]}`}>
            <JobUse job={job} task={Number(task)} />
            <JobFacts job={job} />
            <JobTimeline job={job} />
          </div>
        }
      >
        {isOver(job) ? (
          <JobEndNote job={job} />
        ) : (
          <div className={`card ${classes["card"]}`}>
            <Waiting job={job} />
          </div>
        )}
        <DetailPanel id="job-output" title={words.output}>
          <JobOutput job={job} />
        </DetailPanel>
        {job.array !== null && <Tasks job={job} array={job.array} />}
        <JobScript job={job} />
      </DetailColumns>
    </Page>
  );
}

function Tasks({ job, array }: { job: JobDetail; array: NonNullable<JobDetail["array"]> }) {
  const selection = useSelection(({ id }: Target) => id);
  return (
    <DetailPanel id="job-tasks" title={strings.jobs.array.tasks(array.total)}>
      <ArrayCounts array={array} />
      <TaskList array={job} selection={selection} />
      {selection.chosen.length > 0 && <BulkBar selection={selection} targets={selection.chosen} />}
    </DetailPanel>
  );
}
