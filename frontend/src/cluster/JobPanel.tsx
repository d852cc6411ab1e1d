// One job of the queue in the side panel.
import { Suspense, lazy } from "react";

import { useMe } from "~/api/queries";
import type { ClusterJobDetail } from "~/api/types";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Fact, Facts } from "~/ui/Facts";
import { Loaded } from "~/ui/Loaded";
import { SidePanel } from "~/ui/SidePanel";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { lookOfClusterJob } from "~/ui/jobLook";
import classes from "./Panels.module.css";
import { useClusterJob } from "./api";

const JobActions = lazy(() => import("./AdminActions").then((module) => ({ default: module.JobActions })));
const words = strings.cluster.job;
const queue = strings.cluster.queue;

interface JobPanelProps {
  id: number;
  onClose: () => void;
  onNode: (name: string) => void;
}

export function JobPanel({ id, onClose, onNode }: JobPanelProps) {
  const query = useClusterJob(id);
  const admin = useMe().data?.admin === true;
  const actions = admin && query.data !== undefined && (
    <Suspense fallback={null}>
      <JobActions job={query.data} />
    </Suspense>
  );
  return (
    <SidePanel title={words.details(id)} closeLabel={strings.cluster.node.close} onClose={onClose} actions={actions}>
      <Loaded query={query} height={200} missing={words.gone}>
        {(job) => <Details job={job} onNode={onNode} />}
      </Loaded>
    </SidePanel>
  );
}

function Details({ job, onNode }: { job: ClusterJobDetail; onNode: (name: string) => void }) {
  const look = lookOfClusterJob(job);
  return (
    <>
      <p className={classes["look"]}>
        <StateMark look={look} />
        <StateWord look={look} />
        {job.mine && <span className={classes["mine"]}>{queue.mine}</span>}
      </p>
      <Facts>
        <Fact name={words.name}>{job.name ?? <span className="quiet">{queue.hidden}</span>}</Fact>
        <Fact name={queue.user}>{job.user ?? <span className="quiet">{queue.hidden}</span>}</Fact>
        <Fact name={words.why}>
          {job.reason !== "" && (
            <>
              {job.reason} <span className="mono quiet">{job.reason_code}</span>
            </>
          )}
        </Fact>
        <Fact name={words.line}>{job.position !== null && job.line !== null && queue.place(job.position, job.line)}</Fact>
        <Fact name={words.expected}>{job.expected_start !== null && <Time at={job.expected_start} as="clock" />}</Fact>
        <Fact name={queue.resources}>
          {strings.resources.compact(strings.resources.gpus(job.gpus, job.gpu_type, job.shards, job.mps_percent), strings.resources.cores(job.cpus), job.memory_mib === null ? "" : gb(job.memory_mib))}
        </Fact>
        <Fact name={words.nodes}>
          {job.places.length === 0
            ? job.node_list
            : job.places.map(({ node, gpus, sure }) => (
                <button key={node} type="button" className={classes["place"]} onClick={() => onNode(node)}>
                  <strong>{node}</strong> {strings.cluster.node.gpu(gpus)}
                  {!sure && ` (${strings.cluster.node.unsure})`}
                </button>
              ))}
        </Fact>
        <Fact name={queue.partition}>{job.partition}</Fact>
        <Fact name={words.account}>{job.account}</Fact>
        <Fact name={words.qos}>{job.qos}</Fact>
        <Fact name={words.reservation}>{job.reservation}</Fact>
        <Fact name={words.priority}>{job.priority}</Fact>
        <Fact name={words.submitted}>{job.submitted_at !== null && <Time at={job.submitted_at} />}</Fact>
        <Fact name={words.started}>{job.started_at !== null && <Time at={job.started_at} />}</Fact>
        <Fact name={job.state === "RUNNING" ? words.ends : words.endedAt}>{job.ends_at !== null && <Time at={job.ends_at} as="clock" />}</Fact>
        <Fact name={words.limit}>{job.time_limit_s !== null && span(job.time_limit_s)}</Fact>
      </Facts>
    </>
  );
}
