// Layout of the tiles: groups split into rows of as many tiles as fit, with the top of each row.
import type { ClusterNode } from "~/api/types";
import type { Group } from "./snapshot";

export const TILE_PX = 132;
const GAP_PX = 8;
const ROW_PX = 60;
const HEAD_PX = 40;

export type Row = { kind: "head"; group: Group } | { kind: "tiles"; indices: number[] };

export interface Layout {
  columns: number;
  nodes: ClusterNode[];
  rows: Row[];
  tops: number[];
  /** The row of each tile. */
  rowOf: number[];
  height: number;
}

export function rowsOf(groups: readonly Group[], width: number): Layout {
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (TILE_PX + GAP_PX)));
  const layout: Layout = { columns, nodes: [], rows: [], tops: [], rowOf: [], height: 0 };
  const add = (row: Row, height: number) => {
    layout.rows.push(row);
    layout.tops.push(layout.height);
    layout.height += height;
  };
  for (const group of groups) {
    add({ kind: "head", group }, HEAD_PX);
    for (let at = 0; at < group.nodes.length; at += columns) {
      const part = group.nodes.slice(at, at + columns);
      const indices = part.map((_, place) => layout.nodes.length + place);
      layout.nodes.push(...part);
      indices.forEach(() => layout.rowOf.push(layout.rows.length));
      add({ kind: "tiles", indices }, ROW_PX);
    }
  }
  return layout;
}

/** The tile that a key moves to; null for other keys. Up and down keep the column if the row has it. */
export function moved(key: string, from: number, layout: Layout): number | null {
  const last = layout.nodes.length - 1;
  if (key === "ArrowRight") return Math.min(last, from + 1);
  if (key === "ArrowLeft") return Math.max(0, from - 1);
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "ArrowDown") return beside(from, 1, layout);
  if (key === "ArrowUp") return beside(from, -1, layout);
  if (key === "PageDown") return beside(from, 8, layout);
  if (key === "PageUp") return beside(from, -8, layout);
  return null;
}

function beside(from: number, by: number, { rows, rowOf }: Layout): number {
  const row = rowOf[from] ?? 0;
  const column = tiles(rows[row]).indexOf(from);
  const step = by > 0 ? 1 : -1;
  let left = Math.abs(by);
  let match = row;
  for (let at = row + step; at >= 0 && at < rows.length && left > 0; at += step) {
    if (tiles(rows[at]).length > 0) {
      match = at;
      left -= 1;
    }
  }
  const indices = tiles(rows[match]);
  return indices[Math.min(column, indices.length - 1)] ?? from;
}

const tiles = (row: Row | undefined): number[] => (row?.kind === "tiles" ? row.indices : []);
