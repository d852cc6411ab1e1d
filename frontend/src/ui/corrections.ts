// The corrections for submitting a job again, in words.
import type { Correction } from "~/api/jobTypes";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";

const words = strings.jobs.corrections;

/** The new value: `20 GB`, `2 h`. */
export const changedTo = ({ field, to }: Correction): string => valueOf(field, to);

/** `Memory per node: 10 GB → 20 GB`. */
export function changeOf({ field, from, to }: Correction): string {
  const name = Object.hasOwn(words.fields, field) ? words.fields[field as keyof typeof words.fields] : field;
  return words.change(name, valueOf(field, from), valueOf(field, to));
}

function valueOf(field: string, value: Correction["to"]): string {
  if (value === null) return words.unsaid;
  if (field === "memory_mib_per_node") return gb(Number(value));
  if (field === "walltime_s") return span(Number(value));
  return String(value);
}
