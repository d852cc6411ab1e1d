// Sentences about a job that more than one page shows.
import type { JobRow } from "~/api/jobTypes";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";

/** `2 nodes × (2 × V100 · 16 cores · 96 GB)`: totals for a job, per task for an array. */
export function resourcesOf(row: Pick<JobRow, "nodes" | "gpus" | "gpu_type" | "cpus" | "memory_mib" | "array">): string {
  const words = strings.resources;
  const nodes = Math.max(1, row.nodes);
  const each = [
    row.gpus > 0 ? words.gpus(share(row.gpus, nodes), row.gpu_type) : null,
    words.cores(share(row.cpus, nodes)),
    row.memory_mib === null ? null : gb(row.memory_mib / nodes),
  ]
    .filter((part) => part !== null)
    .join(" · ");
  const whole = nodes > 1 ? strings.jobs.eachNode(nodes, each) : each;
  return row.array === null ? whole : strings.jobs.array.eachTask(whole);
}

const share = (count: number, nodes: number) => Math.round((count / nodes) * 10) / 10;
