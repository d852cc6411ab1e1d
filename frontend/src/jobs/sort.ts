// The order of the list: by a column, in the URL as `name` or `-name`.
import type { JobRow } from "~/api/jobTypes";
import { strings } from "~/strings/en";

export type Column = keyof typeof strings.jobs.columns;

export interface Order {
  by: Column;
  down: boolean;
}

export const NEWEST_FIRST: Order = { by: "submitted", down: true };

export function readOrder(text: string | null): Order {
  const by = (text ?? "").replace(/^-/, "");
  return Object.hasOwn(strings.jobs.columns, by) ? { by: by as Column, down: text?.startsWith("-") ?? false } : NEWEST_FIRST;
}

export function writeOrder({ by, down }: Order): string {
  return by === NEWEST_FIRST.by && down ? "" : `${down ? "-" : ""}${by}`;
}

/** The next order after a click on a column header: reversed, or the column's usual direction. */
export function nextOrder(order: Order, by: Column): Order {
  return order.by === by ? { by, down: !order.down } : { by, down: by === "submitted" || by === "resources" };
}

export function sorted(rows: readonly JobRow[], { by, down }: Order): JobRow[] {
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [VALUES[by](a), VALUES[by](b)];
    return x === y ? Number(b.id) - Number(a.id) : sign * (x < y ? -1 : 1);
  });
}

// Unknown values come last in either direction.
const time = (iso: string | null) => (iso === null ? Number.MAX_SAFE_INTEGER : Date.parse(iso));

const VALUES: Record<Column, (row: JobRow) => string | number> = {
  name: (row) => row.name.toLowerCase(),
  state: (row) => row.state,
  resources: (row) => row.gpus * 1e6 + row.cpus,
  time: (row) => time(row.ended_at ?? row.ends_at ?? row.expected_start),
  submitted: (row) => time(row.submitted_at),
};
