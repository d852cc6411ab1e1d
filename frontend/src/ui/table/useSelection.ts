// Which rows are selected, by mouse and by keyboard; they stay so while a filter hides them.
import { useState, type KeyboardEvent } from "react";

export interface Selection<Row> {
  /** As they were when they were selected. */
  chosen: readonly Row[];
  idOf: (row: Row) => string;
  has: (row: Row) => boolean;
  set: (rows: readonly Row[], on: boolean) => void;
  /** Toggles one; with `run`, selects everything between it and the last one toggled. */
  toggle: (row: Row, among: readonly Row[], run: boolean) => void;
  clear: () => void;
}

export function useSelection<Row>(idOf: (row: Row) => string): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const [last, setLast] = useState<string | null>(null);
  const has = (row: Row) => chosen.has(idOf(row));
  const set = (rows: readonly Row[], on: boolean) =>
    setChosen((old) => {
      const ids = new Set(rows.map(idOf));
      const rest = on ? [...old] : [...old].filter(([id]) => !ids.has(id));
      return new Map([...rest, ...(on ? rows.map((row) => [idOf(row), row] as const) : [])]);
    });
  return {
    chosen: [...chosen.values()],
    idOf,
    has,
    set,
    clear: () => setChosen(new Map()),
    toggle: (row, among, run) => {
      const from = run ? among.findIndex((other) => idOf(other) === last) : -1;
      const to = among.indexOf(row);
      setLast(idOf(row));
      if (from < 0 || to < 0) set([row], !has(row));
      else set(among.slice(Math.min(from, to), Math.max(from, to) + 1), true);
    },
  };
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Moves the focus to the same control of the row above or below; returns that control. */
export function moveByKey(event: KeyboardEvent<HTMLElement>): HTMLElement | null {
  const step = STEPS[event.key];
  const control = (event.target as HTMLElement).closest<HTMLElement>("[data-control]");
  if (control === null || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return null;
  const controls = [...document.querySelectorAll<HTMLElement>(`[data-control='${control.dataset["control"]}']`)];
  const next = controls[controls.indexOf(control) + step];
  if (next === undefined) return null;
  event.preventDefault();
  next.focus();
  return next;
}
