// The changes made from the page: what was done with its undo, what failed, what the user is asked, what is cut.
import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";

import { changes, useChange, type Conflict, type Many, type Operation } from "~/api/files";
import { inside } from "~/lib/path";
import { strings } from "~/strings/en";
import { nameOf, parentOf } from "./folder";
import { operations, putOperation } from "./operations";

const words = strings.files;

export interface Outcome {
  text: string;
  failed: Many["failed"];
  undo: (() => void) | null;
}

/** What was cut or copied, to be put into another folder. */
export interface Held {
  by: "move" | "copy";
  paths: string[];
}

export interface Clash {
  paths: string[];
  target: string;
}

export function useActs() {
  const many = useChange<Many>();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const queries = useQueryClient();
  const begin = useChange<Operation[]>();
  const [held, setHeld] = useState<Held | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const goOn = (begun: Operation[]) => begun.forEach((operation) => putOperation(queries, operation));
  const start = (change: () => Promise<Operation[]>) => {
    setOutcome(null);
    begin.mutate(change, { onSuccess: goOn });
  };
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
  const move = (paths: string[], target: string, conflict: Conflict) =>
    run(
      () => changes.move(paths, target, conflict),
      ({ done, failed, operations: begun }) => {
        goOn(begun);
        const taken = failed.filter(({ code }) => code === "exists").map(({ path }) => path);
        setHeld(null);
        if (taken.length > 0 && conflict === "refuse") setClash({ paths: taken, target });
        const undo = conflict === "replace" || done.length === 0 ? null : () => back(done, target);
        const other = failed.filter(({ path }) => conflict !== "refuse" || !taken.includes(path));
        if (done.length > 0 || other.length > 0) setOutcome({ text: words.moved(done.length), failed: other, undo });
      },
    );
  const back = (moved: Many["done"], target: string) => {
    const from = parentOf(moved[0]?.path ?? "");
    run(
      () => changes.move(moved.map(({ now }) => inside(target, nameOf(now))), from, "refuse"),
      ({ done, failed }) => setOutcome({ text: words.restored(done.length), failed, undo: null }),
    );
  };
  const copy = (paths: string[], target: string, conflict: Conflict) => {
    // A copy beside its original has another name.
    const beside = paths.every((path) => parentOf(path) === target);
    start(() => operations.copy(paths, target, beside ? "rename" : conflict));
  };
  const carry = (by: Held["by"], ...rest: Parameters<typeof move>) => (by === "move" ? move(...rest) : copy(...rest));
  return {
    outcome,
    problem: many.error ?? begin.error,
    busy: many.isPending || begin.isPending,
    dismiss: () => {
      setOutcome(null);
      many.reset();
      begin.reset();
    },
    carry,
    erase: (paths: string[]) => start(() => operations.remove(paths)),
    empty: (ids: string[]) => start(() => operations.empty(ids)),
    restore,
    remove,
    held,
    setHeld,
    paste: (target: string) => held !== null && carry(held.by, held.paths, target, "refuse"),
    clash,
    settle: (conflict: "rename" | "replace" | null) => {
      if (clash !== null && conflict !== null) move(clash.paths, clash.target, conflict);
      setClash(null);
    },
  };
}

export type Acts = ReturnType<typeof useActs>;
