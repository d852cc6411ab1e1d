// The queue, a page at a time: filtered, counted and paginated by the server; mine first.
import { Button, Skeleton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { ChevronLeftIcon, ChevronRightIcon } from "@primer/octicons-react";

import type { ClusterJob, ClusterJobs, ClusterPicture } from "~/api/types";
import { gb } from "~/lib/size";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { lookOfClusterJob } from "~/ui/jobLook";
import tableClasses from "./NodeTable.module.css";
import classes from "./QueueView.module.css";
import { queueAsked, type Address, type Change } from "./address";
import { PAGE, useClusterJobs } from "./api";
import { waits } from "./words";

const words = strings.cluster.queue;
const TYPING_PAUSE_MS = 300;
const HEADS = [words.job, words.user, words.state, words.resources, words.partition, words.where, words.when];

interface QueueViewProps {
  address: Address;
  change: Change;
  queue: ClusterPicture["queue"];
}

export function QueueView({ address, change, queue }: QueueViewProps) {
  const [asked] = useDebouncedValue(queueAsked(address), TYPING_PAUSE_MS);
  const { data, error, refetch } = useClusterJobs(asked);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  const open = (id: number) => change({ job: id, node: null });
  return (
    <section aria-label={words.title}>
      <div className={classes["head"]}>
        <p role="status">{data.as_of !== null && words.counts(queue.running, queue.waiting)}</p>
        <Pages data={data} page={asked.page} change={change} />
      </div>
      {data.items.length === 0 ? (
        <Empty>
          <p>{data.as_of === null ? words.notRead : queue.running + queue.waiting === 0 ? words.empty : words.none}</p>
        </Empty>
      ) : (
        <JobTable jobs={data.items} opened={address.job} onOpen={open} />
      )}
    </section>
  );
}

function Pages({ data, page, change }: { data: ClusterJobs; page: number; change: Change }) {
  if (data.total === 0) return null;
  const from = (page - 1) * PAGE + 1;
  const number = (value: number) => new Intl.NumberFormat(strings.locale).format(value);
  return (
    <nav className={classes["pages"]} aria-label={words.pages}>
      <span>{words.page(from, from + data.items.length - 1, data.total).replace(`${data.total}`, number(data.total))}</span>
      <Button variant="default" size="xs" aria-label={words.previous} disabled={page <= 1} onClick={() => change({ page: page - 1 })}>
        <ChevronLeftIcon />
      </Button>
      <Button variant="default" size="xs" aria-label={words.next} disabled={page * PAGE >= data.total} onClick={() => change({ page: page + 1 })}>
        <ChevronRightIcon />
      </Button>
    </nav>
  );
}

interface JobTableProps {
  jobs: readonly ClusterJob[];
  opened: number | null;
  onOpen: (id: number) => void;
}

function JobTable({ jobs, opened, onOpen }: JobTableProps) {
  return (
    <div className={`card ${tableClasses["frame"]} ${classes["frame"]}`} role="region" aria-label={words.caption} tabIndex={0}>
      <table className={`${tableClasses["table"]} ${classes["table"]}`}>
        <caption className="hidden">{words.caption}</caption>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} opened={job.id === opened} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function JobRow({ job, opened, onOpen }: { job: ClusterJob; opened: boolean; onOpen: (id: number) => void }) {
  const look = lookOfClusterJob(job);
  return (
    <tr data-mine={job.mine || undefined} data-opened={opened || undefined}>
      <th scope="row">
        <button type="button" className={tableClasses["name"]} onClick={() => onOpen(job.id)}>
          {job.id}
        </button>
        <span className={classes["name"]}>{job.name ?? ""}</span>
        {job.array_tasks !== "" && <span className="quiet small">{words.array(job.array_tasks)}</span>}
      </th>
      <td>{job.mine ? <span className={classes["mine"]}>{words.mine}</span> : <bdi>{job.user ?? words.hidden}</bdi>}</td>
      <td>
        <span className={classes["state"]}>
          <StateMark look={look} />
          <StateWord look={look} />
        </span>
      </td>
      <td>
        {strings.resources.compact(strings.resources.gpus(job.gpus, job.gpu_type), strings.resources.cores(job.cpus), job.memory_mib === null ? "" : gb(job.memory_mib))}
      </td>
      <td>{job.partition}</td>
      <td className={classes["where"]}>{waits(job) ? <span title={job.reason_code}>{job.reason}</span> : job.node_list}</td>
      <td className={classes["when"]}>
        <When job={job} />
      </td>
    </tr>
  );
}

/** Time left, or expected start and position in the queue, or when it ended. */
function When({ job }: { job: ClusterJob }) {
  const now = useNow(60);
  if (waits(job)) {
    const line = job.position !== null && job.line !== null ? words.place(job.position, job.line) : null;
    const start = job.expected_start === null ? null : words.expected(clock(job.expected_start, now));
    return <>{[line, start].filter((part) => part !== null).join(" · ") || words.unknown}</>;
  }
  if (job.ends_at === null) return null;
  return lookOfClusterJob(job).tone === "good" ? <Time at={job.ends_at} as="left" /> : <Time at={job.ends_at} />;
}
