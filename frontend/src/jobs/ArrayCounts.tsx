// The tasks of an array as one bar and as counts in words.
import type { JobRow } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import classes from "./ArrayCounts.module.css";

const KINDS = ["done", "running", "pending", "failed", "cancelled"] as const;
const words = strings.jobs.array;

export function ArrayCounts({ array }: { array: NonNullable<JobRow["array"]> }) {
  const there = KINDS.filter((kind) => array[kind] > 0);
  return (
    <div className={classes["counts"]}>
      <span className={classes["bar"]} aria-hidden="true">
        {there.map((kind) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: array[kind] }} />
        ))}
      </span>
      <span className={classes["words"]}>{there.map((kind) => words.count(array[kind], words.counts[kind])).join(", ")}</span>
    </div>
  );
}
