// The boxes that select rows: Shift with a click or the arrows selects a range, Ctrl+A all, Escape none.
import type { KeyboardEvent } from "react";

import { strings } from "~/strings/en";
import classes from "./DataTable.module.css";
import { moveByKey, type Selection } from "./useSelection";

const words = strings.table;

export type Selecting<Row> = Omit<Selection<Row>, "chosen">;

interface RowCheckProps<Row> {
  row: Row;
  /** All rows, in the order shown. */
  rows: readonly Row[];
  /** What the row is called. */
  name: string;
  selection: Selecting<Row>;
}

export function RowCheck<Row>({ row, rows, name, selection }: RowCheckProps<Row>) {
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") selection.clear();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
      event.preventDefault();
      selection.set(rows, true);
    }
    const moved = moveByKey(event);
    const next = rows.find((other) => selection.idOf(other) === moved?.dataset["row"]);
    if (next !== undefined && event.shiftKey) selection.set([row, next], true);
  };
  return (
    <input
      type="checkbox"
      className={classes["check"]}
      aria-label={words.select(name)}
      checked={selection.has(row)}
      data-control="check"
      data-row={selection.idOf(row)}
      onKeyDown={onKey}
      onChange={(event) => selection.toggle(row, rows, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
    />
  );
}

export function AllCheck<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selecting<Row> }) {
  const all = rows.length > 0 && rows.every(selection.has);
  const some = rows.some(selection.has);
  return (
    <label className={classes["all"]}>
      {/* Shown where rows are cards, so that the box does not stand alone. */}
      <span>{words.selectAll}</span>
      <input
        type="checkbox"
        className={classes["check"]}
        aria-label={words.selectAll}
        checked={all}
        ref={(box) => {
          if (box !== null) box.indeterminate = some && !all;
        }}
        onChange={() => selection.set(rows, !all)}
      />
    </label>
  );
}
