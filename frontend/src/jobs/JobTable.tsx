// The list as a table whose rows become cards on narrow screens. Explicit roles survive the change of layout.
import { ChevronDownIcon, ChevronUpIcon } from "@primer/octicons-react";

import type { JobRow } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { JobLine } from "./JobLine";
import classes from "./JobTable.module.css";
import { nextOrder, type Column, type Order } from "./sort";
import type { Selection } from "./useSelection";

const words = strings.jobs;
const COLUMNS: readonly Column[] = ["name", "state", "time", "resources", "submitted"];

interface JobTableProps {
  rows: readonly JobRow[];
  order: Order;
  onOrder: (order: Order) => void;
  selection: Selection;
  opened: string | null;
  onOpen?: (id: string) => void;
}

export function JobTable({ rows, order, onOrder, selection, opened, onOpen }: JobTableProps) {
  const all = rows.length > 0 && rows.every(({ id }) => selection.has(id));
  return (
    <div className={`card ${classes["frame"]}`}>
      <div role="table" aria-label={words.caption} className={classes["table"]}>
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" className={classes["headrow"]}>
            <span role="columnheader" className={classes["select"]}>
              <input
                type="checkbox"
                aria-label={words.select.all}
                checked={all}
                onChange={() => (all ? selection.clear() : selection.add(rows))}
              />
            </span>
            {COLUMNS.map((column) => (
              <Head key={column} column={column} order={order} onOrder={onOrder} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes["body"]}>
          {rows.map((row) => (
            <JobLine key={row.id} row={row} rows={rows} selection={selection} isOpen={opened === row.id} {...(onOpen ? { onOpen } : {})} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Head({ column, order, onOrder }: { column: Column; order: Order; onOrder: (order: Order) => void }) {
  const current = order.by === column;
  return (
    <span
      role="columnheader"
      aria-sort={current ? (order.down ? "descending" : "ascending") : "none"}
      className={classes[column]}
    >
      <button type="button" className={classes["sort"]} title={words.sortBy(words.columns[column])} onClick={() => onOrder(nextOrder(order, column))}>
        {words.columns[column]}
        {current && (order.down ? <ChevronDownIcon size={12} /> : <ChevronUpIcon size={12} />)}
      </button>
    </span>
  );
}
