// Sentences about a job that more than one place says, and what applies to it.
import { isHeld, isOver, isPending, isRunning } from "~/api/jobStates";
import type { JobAction, JobRow } from "~/api/jobTypes";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";

/** `2 nodes × (2 × V100 · 16 cores · 96 GB)`: a job's numbers are for the whole of it, an array's for a task. */
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

/** What is known of a job that an action may hit; of a task that is not listed, no more than its id. */
export type Target = Pick<JobRow, "id" | "name" | "state" | "ended_at" | "reason_code" | "array">;

export const ACTIONS: readonly JobAction[] = ["cancel", "hold", "release", "requeue", "time_limit"];

/** Whether an action makes sense now; the portal and Slurm have the last word. */
export function applies(action: JobAction, target: Target): boolean {
  const { array } = target;
  const pending = array === null ? isPending(target) : array.pending > 0;
  const running = array === null ? isRunning(target) : array.running > 0;
  if (action === "hold") return pending && !isHeld(target);
  if (action === "release") return isHeld(target);
  if (action === "requeue") return running;
  return !isOver(target) && (pending || running);
}
