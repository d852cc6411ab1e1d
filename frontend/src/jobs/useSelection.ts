// Which jobs are selected, by mouse and by keyboard: Space, Shift with arrows or a click for ranges, Escape for none.
import { useState, type KeyboardEvent } from "react";

import type { Target } from "./actions";

export interface Selection {
  targets: readonly Target[];
  has: (id: string) => boolean;
  /** Toggles one; with `run`, everything between it and the last one toggled. */
  toggle: (target: Target, among: readonly Target[], run: boolean) => void;
  add: (targets: readonly Target[]) => void;
  clear: () => void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Target>>(new Map());
  const [last, setLast] = useState<string | null>(null);
  const add = (targets: readonly Target[]) => setChosen((old) => new Map([...old, ...targets.map((one) => [one.id, one] as const)]));
  return {
    targets: [...chosen.values()],
    has: (id) => chosen.has(id),
    add,
    clear: () => {
      setChosen(new Map());
      setLast(null);
    },
    toggle: (target, among, run) => {
      setLast(target.id);
      const from = run ? among.findIndex(({ id }) => id === last) : -1;
      const to = among.findIndex(({ id }) => id === target.id);
      if (from >= 0 && to >= 0) add(among.slice(Math.min(from, to), Math.max(from, to) + 1));
      else setChosen((old) => {
        const next = new Map(old);
        if (!next.delete(target.id)) next.set(target.id, target);
        return next;
      });
    },
  };
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Moves the focus to the same control in the row above or below; returns that row's id. */
export function moveByKey(event: KeyboardEvent<HTMLElement>): string | null {
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return null;
  const kind = event.currentTarget.dataset["control"];
  const controls = [...document.querySelectorAll<HTMLElement>(`[data-control='${kind}']`)];
  const next = controls[controls.indexOf(event.currentTarget) + step];
  if (next === undefined) return null;
  event.preventDefault();
  next.focus();
  return next.dataset["job"] ?? null;
}
