import type { CellChange } from "./copies";

export interface Run {
  /** Where it starts. */
  at: number;
  same: boolean;
  cells: CellChange[];
}

/** The cells in order, with consecutive equal ones grouped into a run. */
export function runsOf(cells: readonly CellChange[]): Run[] {
  const runs: Run[] = [];
  cells.forEach((cell, at) => {
    const same = cell.change === "same";
    const last = runs.at(-1);
    if (last?.same === same) last.cells.push(cell);
    else runs.push({ at, same, cells: [cell] });
  });
  return runs;
}
