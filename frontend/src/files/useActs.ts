// The changes made from the page: what was done with its undo, what failed, what the user is asked, what is cut.
import { useState } from "react";

import { changes, useChange, type Many } from "~/api/files";
import { inside } from "~/lib/path";
import { strings } from "~/strings/en";
import { nameOf, parentOf } from "./folder";

const words = strings.files;

export interface Outcome {
  text: string;
  failed: Many["failed"];
  undo: (() => void) | null;
}

export interface Clash {
  paths: string[];
  target: string;
}

export function useActs() {
  const many = useChange<Many>();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [cut, setCut] = useState<readonly string[]>([]);
  const [clash, setClash] = useState<Clash | null>(null);
  const run = (change: () => Promise<Many>, then: (answer: Many) => void) => {
    setOutcome(null);
    many.mutate(change, { onSuccess: then });
  };
  const restore = (ids: string[]) =>
    run(
      () => changes.restore(ids),
      ({ done, failed }) => setOutcome({ text: words.restored(done.length), failed, undo: null }),
    );
  const remove = (paths: string[]) =>
    run(
      () => changes.remove(paths),
      ({ done, failed }) => {
        const undo = done.length === 0 ? null : () => restore(done.map(({ now }) => now));
        setOutcome({ text: words.removed(done.length), failed, undo });
      },
    );
  const move = (paths: string[], target: string, conflict: "refuse" | "rename" | "replace") =>
    run(
      () => changes.move(paths, target, conflict),
      ({ done, failed }) => {
        const taken = failed.filter(({ code }) => code === "exists").map(({ path }) => path);
        setCut([]);
        if (taken.length > 0 && conflict === "refuse") setClash({ paths: taken, target });
        const undo = conflict === "replace" || done.length === 0 ? null : () => back(done, target);
        const other = failed.filter(({ path }) => conflict !== "refuse" || !taken.includes(path));
        setOutcome({ text: words.moved(done.length), failed: other, undo });
      },
    );
  const back = (moved: Many["done"], target: string) => {
    const from = parentOf(moved[0]?.path ?? "");
    run(
      () => changes.move(moved.map(({ now }) => inside(target, nameOf(now))), from, "refuse"),
      ({ done, failed }) => setOutcome({ text: words.restored(done.length), failed, undo: null }),
    );
  };
  return {
    outcome,
    problem: many.error,
    busy: many.isPending,
    dismiss: () => {
      setOutcome(null);
      many.reset();
    },
    restore,
    remove,
    cut,
    setCut,
    paste: (target: string) => cut.length > 0 && move([...cut], target, "refuse"),
    clash,
    settle: (conflict: "rename" | "replace" | null) => {
      if (clash !== null && conflict !== null) move(clash.paths, clash.target, conflict);
      setClash(null);
    },
  };
}

export type Acts = ReturnType<typeof useActs>;
