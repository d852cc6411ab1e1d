// One job of the list: two lines, and for an array its tasks below when expanded.
import { ActionIcon } from "@mantine/core";
import { ChevronRightIcon } from "@primer/octicons-react";
import { useState, type MouseEvent } from "react";
import { Link } from "react-router-dom";

import type { JobRow } from "~/api/jobTypes";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { lookOfJob } from "~/ui/jobLook";
import { resourcesOf } from "~/ui/jobWords";
import { ArrayCounts } from "./ArrayCounts";
import classes from "./JobTable.module.css";
import { RowCheck } from "./RowCheck";
import { TaskList } from "./TaskList";
import { TimeCell } from "./TimeCell";
import { Why } from "./Why";
import { moveByKey, type Selection } from "./useSelection";

const words = strings.jobs;

interface JobLineProps {
  row: JobRow;
  /** All rows, for selecting ranges. */
  rows: readonly JobRow[];
  selection: Selection;
  isOpen: boolean;
  onOpen?: (id: string) => void;
}

export function JobLine({ row, rows, selection, isOpen, onOpen }: JobLineProps) {
  const [tasks, setTasks] = useState(false);
  const look = lookOfJob(row);
  return (
    <>
      <div role="row" className={classes["row"]} data-open={isOpen || undefined} data-selected={selection.has(row.id) || undefined} data-row={row.id}>
        <span role="cell" className={classes["select"]}>
          <RowCheck row={row} rows={rows} selection={selection} />
        </span>
        <span role="cell" className={classes["name"]}>
          <span className={classes["first"]}>
            <JobLink row={row} {...(onOpen ? { onOpen } : {})} />
            {row.array !== null && (
              <ActionIcon
                size={24}
                className={classes["open"] ?? ""}
                aria-expanded={tasks}
                aria-label={tasks ? words.array.close(row.name) : words.array.open(row.name)}
                onClick={() => setTasks(!tasks)}
              >
                <ChevronRightIcon className={classes["chevron"] ?? ""} />
              </ActionIcon>
            )}
          </span>
          <span className={classes["second"]}>
            <span className="mono">{row.id}</span> · {row.partition}
            {row.array !== null && ` · ${words.array.tasks(row.array.total)}`}
          </span>
        </span>
        <span role="cell" className={classes["state"]}>
          <span className={classes["first"]}>
            <StateMark look={look} />
            <StateWord look={look} />
          </span>
          {row.array === null ? <Why row={row} /> : <ArrayCounts array={row.array} />}
        </span>
        <span role="cell" className={classes["time"]}>
          <TimeCell row={row} />
        </span>
        <span role="cell" className={classes["resources"]}>
          <span>{resourcesOf(row)}</span>
          {row.node_list !== "" && <span className={`${classes["second"]} mono`}>{row.node_list}</span>}
        </span>
        <span role="cell" className={classes["submitted"]}>
          {row.submitted_at !== null && <Time at={row.submitted_at} />}
        </span>
      </div>
      {tasks && row.array !== null && (
        <div role="row" className={classes["tasks"]}>
          <div role="cell" className={classes["whole"]}>
            <TaskList array={row} selection={selection} />
          </div>
        </div>
      )}
    </>
  );
}

/** Opens the job: beside the list if there is room, else as a page. */
export function JobLink({ row, onOpen }: { row: JobRow; onOpen?: (id: string) => void }) {
  const open = (event: MouseEvent) => {
    if (onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(row.id);
  };
  return (
    <Link to={pages.job(row.id)} className={classes["link"]} onClick={open} data-control="link" data-job={row.id} onKeyDown={(event) => void moveByKey(event)}>
      {row.name}
    </Link>
  );
}
