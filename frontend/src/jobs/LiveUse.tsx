// What a running job uses now: CPU, memory and each GPU, node by node. Queried only while visible.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { LiveUse as ReportedUse, NodeUse } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { gb, mib } from "~/lib/size";
import { clock, secondsUntil } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { GpuUse } from "~/ui/GpuUse";
import { UseBar, UseBars } from "~/ui/UseBar";
import classes from "./LiveUse.module.css";

const words = strings.jobs.job;
/** Nodes shown by default; a job may have hundreds. */
const FIRST = 8;
const STALE_S = 30;

interface LiveUseProps {
  id: string;
  task: number | null;
  /** Whether it has GPUs: if so, shows their use, or that it is unknown. */
  hasGpus: boolean;
}

export function LiveUse({ id, task, hasGpus }: LiveUseProps) {
  const { data, error } = useQuery(jobReads.use(id, task));
  return (
    <section aria-labelledby="job-use" className={classes["use"]}>
      <h2 className="section-title" id="job-use">
        {task === null ? words.useNow : words.useOfTask(task)}
      </h2>
      {data !== undefined && data.state === "live" ? <Nodes use={data} hasGpus={hasGpus} /> : <p className="quiet">{sentence(data, error)}</p>}
    </section>
  );
}

function sentence(use: ReportedUse | undefined, error: Error | null): string {
  if (use === undefined) return error === null ? words.useStarting : `${words.useUnknown}. ${error.message}`;
  if (use.state === "unknown") return `${words.useUnknown}. ${use.message ?? ""}`;
  return use.state === "starting" ? words.useStarting : words.useNotRunning;
}

function Nodes({ use: { nodes, as_of }, hasGpus }: { use: ReportedUse; hasGpus: boolean }) {
  const [all, setAll] = useState(false);
  const now = useNow(10);
  const stale = as_of !== null && secondsUntil(as_of, now) < -STALE_S;
  const shown = all ? nodes : nodes.slice(0, FIRST);
  return (
    <>
      {stale && <p className="quiet small">{words.useStale(clock(as_of, now))}</p>}
      {shown.map((node) => (
        <Node key={node.node} use={node} named={nodes.length > 1} hasGpus={hasGpus} />
      ))}
      {shown.length < nodes.length && (
        <Button size="xs" variant="subtle" onClick={() => setAll(true)}>
          {words.moreNodes(nodes.length - shown.length)}
        </Button>
      )}
    </>
  );
}

interface NodeProps {
  use: NodeUse;
  named: boolean;
  hasGpus: boolean;
}

function Node({ use: { node, cpu_percent, cores, memory_mib, memory_asked_mib, gpus, gpu_problems }, named, hasGpus }: NodeProps) {
  const used = cpu_percent / 100;
  return (
    <div role="group" aria-label={node}>
      {named && <h3 className={`mono ${classes["node"]}`}>{node}</h3>}
      <UseBars>
        <UseBar name={words.cpu} part={cores === 0 ? 0 : used / cores} text={words.cores(used.toFixed(1), String(Math.round(cores * 10) / 10))} />
        <UseBar
          name={words.memory}
          part={memory_asked_mib === null || memory_asked_mib === 0 ? 0 : memory_mib / memory_asked_mib}
          text={memory_asked_mib === null ? gb(memory_mib) : strings.size.of(gb(memory_mib), gb(memory_asked_mib))}
          title={mib(memory_mib)}
        />
        {hasGpus && gpus.length === 0 && <UseBar name={words.gpu} part={0} text={words.useUnknown} title={words.gpuSilent} />}
        <GpuUse gpus={gpus} problems={gpu_problems ?? []} />
      </UseBars>
    </div>
  );
}
