import type { KeyboardEvent } from "react";

import type { JobRow } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { moveByKey, type Selection } from "./useSelection";

/** Selects a row; Shift with a click or the arrows selects a range, Ctrl+A all, Escape none. */
export function RowCheck({ row, rows, selection }: { row: JobRow; rows: readonly JobRow[]; selection: Selection }) {
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") selection.clear();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
      event.preventDefault();
      selection.add(rows);
    }
    const next = rows.find(({ id }) => id === moveByKey(event));
    if (next === undefined || !event.shiftKey) return;
    if (!selection.has(row.id)) selection.add([row]);
    selection.add([next]);
  };
  return (
    <input
      type="checkbox"
      aria-label={strings.jobs.select.one(row.array === null ? row.name : `${row.name} ${row.id}`)}
      checked={selection.has(row.id)}
      data-control="check"
      data-job={row.id}
      onKeyDown={onKey}
      onChange={(event) => selection.toggle(row, rows, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
    />
  );
}
