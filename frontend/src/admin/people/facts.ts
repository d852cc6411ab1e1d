// A limit's values, in words.
import { hours } from "~/lib/numbers";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import type { LimitRow } from "./queries";

const words = strings.admin.people;

type Values = Partial<Pick<LimitRow, "max_gpus" | "max_sessions" | "max_walltime_s" | "max_gpu_hours" | "partitions" | "gpu_types" | "group_max_gpus" | "group_max_gpu_hours">>;

export function factsOf(row: Values): string[] {
  return [
    row.max_gpus == null ? null : words.facts.gpus(row.max_gpus),
    row.max_sessions == null ? null : words.facts.sessions(row.max_sessions),
    row.max_walltime_s == null ? null : words.facts.time(span(row.max_walltime_s)),
    row.max_gpu_hours == null ? null : words.facts.gpuHours(row.max_gpu_hours),
    row.group_max_gpus == null ? null : words.facts.groupGpus(row.group_max_gpus),
    row.group_max_gpu_hours == null ? null : words.facts.groupGpuHours(row.group_max_gpu_hours),
    row.partitions == null ? null : words.facts.partitions(row.partitions),
    row.gpu_types == null ? null : words.facts.gpuTypes(row.gpu_types),
  ].filter((part) => part !== null);
}

/** GPU-hours of this month: used, and promised. */
export const hoursOf = ({ gpu_hours_used, gpu_hours_promised }: { gpu_hours_used: number; gpu_hours_promised: number }) =>
  words.hoursOf(hours(gpu_hours_used), hours(gpu_hours_promised));
