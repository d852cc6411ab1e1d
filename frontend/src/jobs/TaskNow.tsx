// One array task: its state, when and where it ran, why it waits or how it ended.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { Problem } from "~/api/errors";
import { isOver } from "~/api/jobStates";
import type { JobRow } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import { lookOfJob } from "~/ui/jobLook";
import classes from "./TaskNow.module.css";
import { TimeCell } from "./TimeCell";

const words = strings.jobs.array;

export function TaskNow({ array, task }: { array: JobRow; task: number }) {
  const { data, error, refetch } = useQuery(jobReads.task(array.id, task));
  const missing = error instanceof Problem && error.kind === "missing";
  return (
    <section className={classes["task"]} aria-label={words.task(task)}>
      {data !== undefined && !missing && <Told task={data} />}
      {data === undefined && error === null && <Skeleton height={44} role="status" aria-label={words.loadingTask} />}
      {missing && <p className="quiet">{error.message}</p>}
      {error !== null && !missing && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
    </section>
  );
}

function Told({ task }: { task: JobRow }) {
  const look = lookOfJob(task);
  const why = isOver(task) ? (task.end?.text ?? null) : task.reason;
  return (
    <>
      <p className={classes["line"]}>
        <span className="mono">{task.id}</span>
        <span className={classes["state"]}>
          <StateMark look={look} />
          <StateWord look={look} />
        </span>
        {task.node_list !== "" && <span className="mono quiet">{task.node_list}</span>}
      </p>
      <TimeCell row={task} />
      {why !== null && <p>{why}</p>}
      {isOver(task) && task.end?.advice != null && <p className="quiet">{task.end.advice}</p>}
    </>
  );
}
