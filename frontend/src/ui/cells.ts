// What a row of GPU cells shows: one cell per GPU, in the order mine, in use, free, reserved, out of service.
import type { Session } from "~/api/types";
import { strings } from "~/strings/en";

export type CellKind = "mine" | "busy" | "shared" | "free" | "reserved" | "drained" | "down";

export interface Cell {
  kind: CellKind;
  /** GPU use in percent if it is mine; null if nothing has been reported. */
  use?: number | null;
  /** Drawn in the other shade, because the adjacent GPU belongs to another job. */
  alternate?: boolean;
}

export interface Pool {
  total: number;
  free: number;
  /** Not in use, and only for the jobs of a reservation. */
  reserved: number;
  down: number;
}

/** A pool of GPUs as cells; `mine` is part of those in use, or of the free ones when I am choosing them. */
export function poolCells(pool: Pool, mine: number, choosing = false): Cell[] {
  const free = clamp(pool.free, 0, pool.total);
  const reserved = clamp(pool.reserved, 0, pool.total - free);
  const down = clamp(pool.down, 0, pool.total - free - reserved);
  const busy = pool.total - free - reserved - down;
  const own = clamp(mine, 0, choosing ? free : busy);
  return [
    ...repeat("mine", own),
    ...repeat("busy", choosing ? busy : busy - own),
    ...repeat("free", choosing ? free - own : free),
    ...repeat("reserved", reserved),
    ...repeat("down", down),
  ];
}

const HOLDING = new Set<Session["state"]>(["allocated", "starting", "ready", "stopping"]);

export function poolLabel(pool: Pool, mine: number, type?: string): string {
  const busy = Math.max(0, pool.total - pool.free - pool.reserved - pool.down);
  return [
    strings.cells.free(pool.free, pool.total, type),
    busy > 0 ? strings.cells.busy(busy, clamp(mine, 0, busy)) : null,
    pool.reserved > 0 ? strings.cells.reserved(pool.reserved) : null,
    pool.down > 0 ? strings.cells.down(pool.down) : null,
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** The GPUs of a session: hollow before and after it has them, filled by their use once it is reported. */
export function sessionCells({ state, resources, usage }: Pick<Session, "state" | "resources" | "usage">): Cell[] {
  const count = resources.gpus * resources.nodes;
  if (!HOLDING.has(state)) return repeat("free", count);
  return Array.from({ length: count }, (_, index) => ({
    kind: "mine" as const,
    use: usage?.gpus[index]?.utilization ?? null,
  }));
}

/** How many GPUs are held by sessions now. */
export function heldGpus(sessions: readonly Session[]): number {
  return sessions
    .filter(({ state }) => HOLDING.has(state))
    .reduce((sum, { resources }) => sum + resources.gpus * resources.nodes, 0);
}

/** At most `most` cells in the same proportions; every kind present keeps at least one. */
export function compress(cells: readonly Cell[], most: number): { cells: Cell[]; each: number } {
  if (cells.length <= most) return { cells: [...cells], each: 1 };
  const each = Math.ceil(cells.length / most);
  const kinds: CellKind[] = ["mine", "busy", "shared", "free", "reserved", "drained", "down"];
  const counts = kinds.map((kind) => cells.filter((cell) => cell.kind === kind).length);
  const slots = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.round(count / each))));
  return { cells: kinds.flatMap((kind, index) => repeat(kind, slots[index] ?? 0)), each };
}

function repeat(kind: CellKind, count: number): Cell[] {
  return Array.from({ length: Math.max(0, count) }, () => ({ kind }));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
