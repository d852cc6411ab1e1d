// One node in the side panel: its state and reason, its GPUs, and its jobs.
import { Suspense, lazy } from "react";

import { useMe } from "~/api/queries";
import type { ClusterNodeDetail, ClusterSnapshot } from "~/api/types";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { Fact, Facts } from "~/ui/Facts";
import { Loaded } from "~/ui/Loaded";
import { SidePanel } from "~/ui/SidePanel";
import { Time } from "~/ui/Time";
import { JobCells } from "./JobCells";
import { NodeCells } from "./NodeCells";
import classes from "./Panels.module.css";
import { useClusterNode } from "./api";
import { SHARED, type Mine } from "./snapshot";

const NodeActions = lazy(() => import("./AdminActions").then((module) => ({ default: module.NodeActions })));
const NodeHealth = lazy(() => import("~/ui/operate/NodeHealth").then((module) => ({ default: module.NodeHealth })));
const words = strings.cluster.node;

interface NodePanelProps {
  name: string;
  snapshot: ClusterSnapshot | undefined;
  mine: Mine;
  onClose: () => void;
  onJob: (id: number) => void;
}

export function NodePanel({ name, snapshot, mine, onClose, onJob }: NodePanelProps) {
  const query = useClusterNode(name);
  const admin = useMe().data?.admin === true;
  const actions = admin && query.data !== undefined && (
    <Suspense fallback={null}>
      <NodeActions node={query.data} />
    </Suspense>
  );
  return (
    <SidePanel title={words.details(name.slice(0, 100))} closeLabel={words.close} onClose={onClose} actions={actions}>
      <Loaded query={query} height={200} missing={words.gone}>
        {(node) => (
          <>
            <Details node={node} kind={snapshot?.kinds[node.kind]} mine={mine[name]} onJob={onJob} />
            {admin && (
              <Suspense fallback={null}>
                <NodeHealth name={name} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

interface DetailsProps {
  node: ClusterNodeDetail;
  kind: ClusterSnapshot["kinds"][number] | undefined;
  mine: readonly number[] | undefined;
  onJob: (id: number) => void;
}

function Details({ node, kind, mine, onJob }: DetailsProps) {
  return (
    <>
      <p className={classes["state"]} data-state={node.state}>
        {strings.cluster.states[node.state]}
      </p>
      <Facts>
        <Fact name={words.reason}>{node.reason}</Fact>
        <Fact name={words.reservation}>{node.reservation}</Fact>
        <Fact name={words.gpus}>
          {node.gpus !== "" && (
            <>
              <NodeCells node={node} kind={kind} mine={mine} />
              {node.pools.map(({ type, free, reserved, total }) => (
                <span key={type} className={classes["pool"]}>
                  {strings.cells.free(free, total, type === "" ? undefined : type.toUpperCase())}
                  {reserved > 0 && `, ${strings.cells.reserved(reserved)}`}
                </span>
              ))}
            </>
          )}
        </Fact>
        <Fact name={words.cpus}>{words.inUse(`${node.cpus}`, `${node.cpus_total}`)}</Fact>
        <Fact name={words.memory}>{words.inUse(gb(node.memory_mib), gb(node.memory_total_mib))}</Fact>
        <Fact name={words.load}>{node.load}</Fact>
        <Fact name={words.partitions}>{node.partitions.join(", ")}</Fact>
        <Fact name={words.features}>{node.features.join(", ")}</Fact>
        <Fact name={words.slurmState}>
          <span className="mono">{node.slurm_state}</span>
        </Fact>
        <Fact name={words.version}>{node.version}</Fact>
      </Facts>
      <h3 className="section-title">{words.jobs}</h3>
      {node.jobs.length === 0 && <p className="quiet">{words.noJobs}</p>}
      <ul className={classes["jobs"]}>
        {node.jobs.map(({ job, gpus, sure }) => (
          <li key={job.id}>
            <button type="button" className={classes["job"]} data-mine={job.mine || undefined} onClick={() => onJob(job.id)}>
              <span className={classes["who"]}>
                <strong>{job.mine ? strings.cluster.queue.mine : (job.user ?? strings.cluster.queue.hidden)}</strong> {job.name}
              </span>
              <span className="mono">{job.id}</span>
              <span className={classes["held"]}>
                {gpus.length > 0 && (
                  <>
                    <JobCells node={node} held={gpus} mine={mine} />
                    <span>
                      {words.gpu(gpus)}
                      {!sure && ` (${words.unsure})`}
                    </span>
                  </>
                )}
                {job.shards + job.mps_percent > 0 && <span>{strings.resources.gpus(0, null, job.shards, job.mps_percent)}</span>}
              </span>
              <span className="quiet">{job.ends_at !== null && <Time at={job.ends_at} as="left" />}</span>
            </button>
          </li>
        ))}
      </ul>
      {node.gpus.includes(SHARED) && <p className="quiet small">{words.shared}</p>}
      {node.gpus.includes("?") && <p className="quiet small">{`? ${words.unaccounted}`}</p>}
    </>
  );
}
