// The queue, a page at a time: filtered, counted and paginated by the server; mine first.
import type { ClusterJob, ClusterSnapshot } from "~/api/types";
import { gb } from "~/lib/size";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Loaded } from "~/ui/Loaded";
import { Pages } from "~/ui/Pages";
import { Time } from "~/ui/Time";
import { lookOfClusterJob } from "~/ui/jobLook";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { Beneath, LookCell, OpenButton } from "~/ui/table/cells";
import { useSettled } from "~/ui/useAddress";
import classes from "./QueueView.module.css";
import { queueAsked, type Address, type Change } from "./address";
import { PAGE, useClusterJobs } from "./api";
import { waits } from "./words";

const words = strings.cluster.queue;

interface QueueViewProps {
  address: Address;
  change: Change;
  queue: ClusterSnapshot["queue"];
}

export function QueueView({ address, change, queue }: QueueViewProps) {
  const asked = useSettled(queueAsked(address));
  return (
    <section aria-label={words.title}>
      <Loaded query={useClusterJobs(asked)} height={320}>
        {({ as_of, items, total }) => (
          <>
            <div className={classes["head"]}>
              <p role="status">{as_of !== null && words.counts(queue.running, queue.waiting)}</p>
              {total > 0 && (
                <Pages
                  label={words.pages}
                  offset={(asked.page - 1) * PAGE}
                  size={PAGE}
                  total={total}
                  onOffset={(offset) => change({ page: offset / PAGE + 1 })}
                />
              )}
            </div>
            {items.length === 0 ? (
              <Empty>
                <p>{as_of === null ? words.notRead : queue.running + queue.waiting === 0 ? words.empty : words.none}</p>
              </Empty>
            ) : (
              <DataTable
                label={words.caption}
                rows={items}
                idOf={({ id }) => `${id}`}
                columns={columnsOf((id) => change({ job: id, node: null }))}
                opened={`${address.job}`}
                isMine={({ mine }) => mine}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const columnsOf = (onOpen: (id: number) => void): Column<ClusterJob>[] => [
  {
    id: "job",
    header: words.job,
    cell: (job) => (
      <>
        <OpenButton onOpen={() => onOpen(job.id)}>{job.id}</OpenButton> <bdi className={classes["name"]}>{job.name}</bdi>
        {job.array_tasks !== "" && <Beneath>{words.array(job.array_tasks)}</Beneath>}
      </>
    ),
  },
  {
    id: "user",
    header: words.user,
    cell: (job) => (job.mine ? <span className={classes["mine"]}>{words.mine}</span> : <bdi>{job.user ?? words.hidden}</bdi>),
  },
  { id: "state", header: words.state, cell: (job) => <LookCell look={lookOfClusterJob(job)} /> },
  {
    id: "resources",
    header: words.resources,
    cell: (job) =>
      strings.resources.compact(strings.resources.gpus(job.gpus, job.gpu_type, job.shards, job.mps_percent), strings.resources.cores(job.cpus), job.memory_mib === null ? "" : gb(job.memory_mib)),
  },
  { id: "partition", header: words.partition, cell: ({ partition }) => partition },
  {
    id: "where",
    header: words.where,
    cell: (job) => (waits(job) ? <span title={job.reason_code}>{job.reason}</span> : job.node_list),
    kind: "text",
  },
  { id: "when", header: words.when, cell: (job) => <When job={job} /> },
];

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
