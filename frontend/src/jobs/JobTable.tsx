// My jobs as a table; an array opens its tasks below itself.
import { ActionIcon } from "@mantine/core";
import { ChevronRightIcon } from "@primer/octicons-react";
import { useState, type MouseEvent } from "react";
import { Link } from "react-router-dom";

import type { JobRow } from "~/api/jobTypes";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Time } from "~/ui/Time";
import { lookOfJob } from "~/ui/jobLook";
import { resourcesOf } from "~/ui/jobWords";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { Beneath, LookCell } from "~/ui/table/cells";
import type { Selection } from "~/ui/table/useSelection";
import { ArrayCounts } from "./ArrayCounts";
import classes from "./JobTable.module.css";
import { TaskList } from "./TaskList";
import { TimeCell } from "./TimeCell";
import { Why } from "./Why";
import type { Target } from "./actions";

const words = strings.jobs;

export interface JobTableProps {
  rows: readonly JobRow[];
  sort: string;
  onSort: (sort: string) => void;
  selection: Selection<Target>;
  opened: string;
  /** Opens a job beside the list; without it a job opens as a page. */
  onOpen?: (id: string) => void;
}

const idOf = ({ id }: JobRow) => id;

export function JobTable({ onOpen, ...table }: JobTableProps) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setExpanded((old) => new Set(old.has(id) ? [...old].filter((shownId) => shownId !== id) : [...old, id]));
  const columns: Column<JobRow>[] = [
    {
      id: "name",
      header: words.columns.name,
      value: ({ name }) => name,
      cell: (row) => (
        <>
          <span className={classes["first"]}>
            <JobLink row={row} {...(onOpen && { onOpen })} />
            {row.array !== null && (
              <ActionIcon
                size={24}
                className={classes["open"] ?? ""}
                aria-expanded={expanded.has(row.id)}
                aria-label={expanded.has(row.id) ? words.array.close(row.name) : words.array.open(row.name)}
                onClick={() => toggle(row.id)}
              >
                <ChevronRightIcon className={classes["chevron"] ?? ""} />
              </ActionIcon>
            )}
          </span>
          <Beneath>
            <span className="mono">{row.id}</span> · {row.partition}
            {row.array !== null && ` · ${words.array.tasks(row.array.total)}`}
          </Beneath>
        </>
      ),
      kind: "text",
    },
    {
      id: "state",
      header: words.columns.state,
      value: ({ state }) => state,
      cell: (row) => (
        <>
          <LookCell look={lookOfJob(row)} />
          {row.array === null ? <Why row={row} /> : <ArrayCounts array={row.array} />}
        </>
      ),
      kind: "text",
    },
    {
      id: "time",
      header: words.columns.time,
      value: ({ ended_at, ends_at, expected_start }) => timeOf(ended_at ?? ends_at ?? expected_start),
      cell: (row) => <TimeCell row={row} />,
    },
    {
      id: "resources",
      header: words.columns.resources,
      value: ({ gpus, cpus }) => gpus * 1e6 + cpus,
      cell: (row) => (
        <>
          {resourcesOf(row)}
          {row.node_list !== "" && <Beneath mono>{row.node_list}</Beneath>}
        </>
      ),
      kind: "text",
      downFirst: true,
    },
    {
      id: "submitted",
      header: words.columns.submitted,
      value: ({ submitted_at }) => timeOf(submitted_at),
      cell: ({ submitted_at }) => submitted_at !== null && <Time at={submitted_at} />,
      downFirst: true,
      wide: true,
    },
  ];
  return (
    <DataTable
      label={words.caption}
      idOf={idOf}
      columns={columns}
      nameOf={(row) => (row.array === null ? row.name : `${row.name} ${row.id}`)}
      below={(row) => (row.array !== null && expanded.has(row.id) ? <TaskList array={row} selection={table.selection} /> : null)}
      {...table}
    />
  );
}

const timeOf = (iso: string | null) => iso && Date.parse(iso);

/** Opens the job: beside the list if there is room, else as a page. */
function JobLink({ row, onOpen }: { row: JobRow; onOpen?: (id: string) => void }) {
  const open = (event: MouseEvent) => {
    if (onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(row.id);
  };
  return (
    <Link to={pages.job(row.id)} className={classes["link"]} onClick={open} data-control="link">
      {row.name}
    </Link>
  );
}
