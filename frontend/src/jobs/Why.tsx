import { isOver } from "~/api/jobStates";
import type { JobRow } from "~/api/jobTypes";
import classes from "./JobTable.module.css";

/** Why it waits, or how it ended. */
export function Why({ row }: { row: JobRow }) {
  const text = isOver(row) ? (row.state === "COMPLETED" ? null : row.end?.text) : row.reason;
  if (text == null || text === "") return null;
  return (
    <span className={classes["why"]} title={row.reason_code === null ? text : `${text} (${row.reason_code})`}>
      {text}
    </span>
  );
}
