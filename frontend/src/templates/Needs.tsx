// How many GPUs a template is made for, and how long it takes.
import type { Template } from "~/api/types";
import { strings } from "~/strings/en";
import { GpuCells } from "~/ui/GpuCells";

const words = strings.templates;

export function Needs({ template }: { template: Template }) {
  const gpus = words.needs(template.gpus);
  return (
    <>
      {template.gpus > 0 && (
        <GpuCells cells={Array.from({ length: template.gpus }, () => ({ kind: "free" as const }))} label={gpus} />
      )}
      {[gpus, ...timesOf(template)].join(", ")}
    </>
  );
}

/** How long it takes, in words: on a GPU if known, and on a CPU. */
export function timesOf({ minutes_gpu, minutes_cpu }: Template): string[] {
  return [
    ...(minutes_gpu === null ? [] : [words.minutes(minutes_gpu, "GPU")]),
    ...(minutes_cpu === null ? [] : [words.minutes(minutes_cpu, "CPU")]),
  ];
}
