// The order of everybody's sessions: by a column, in the URL as `idle` or `-idle`.
import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { meanGpuUse } from "~/ui/sessionWords";

export type Column = keyof typeof strings.adminSessions.columns;

export interface Order {
  by: Column;
  down: boolean;
}

const COLUMNS = strings.adminSessions.columns;
/** What administrators look for comes first: most GPUs, longest idle. */
const DOWN_FIRST = new Set<Column>(["gpus", "memory", "idle"]);
export const BY_OWNER: Order = { by: "owner", down: false };

export function readOrder(text: string | null): Order {
  const by = (text ?? "").replace(/^-/, "");
  return Object.hasOwn(COLUMNS, by) ? { by: by as Column, down: text?.startsWith("-") ?? false } : BY_OWNER;
}

export const writeOrder = ({ by, down }: Order): string => (by === BY_OWNER.by && !down ? "" : `${down ? "-" : ""}${by}`);

export const nextOrder = (order: Order, by: Column): Order =>
  order.by === by ? { by, down: !order.down } : { by, down: DOWN_FIRST.has(by) };

/** Unknown values come last in either direction. */
export function sorted(items: readonly Session[], { by, down }: Order): Session[] {
  const sign = down ? -1 : 1;
  return [...items].sort((a, b) => {
    const [x, y] = [VALUES[by](a), VALUES[by](b)];
    if (x === y) return a.created_at < b.created_at ? 1 : -1;
    if (x === null) return 1;
    if (y === null) return -1;
    return sign * (x < y ? -1 : 1);
  });
}

const time = (iso: string | null) => (iso === null ? null : Date.parse(iso));

const VALUES: Record<Column, (session: Session) => string | number | null> = {
  name: ({ name }) => name.toLowerCase(),
  owner: ({ owner }) => owner,
  state: ({ state }) => state,
  node: ({ node }) => node,
  gpus: ({ resources }) => resources.gpus * resources.nodes,
  use: (session) => meanGpuUse(session),
  memory: ({ usage }) => usage?.memory_mib ?? null,
  // Longest idle means least recently used.
  idle: ({ used_at }) => (used_at === null ? null : -Date.parse(used_at)),
  left: ({ ends_at, ended_at }) => time(ended_at ?? ends_at),
};
