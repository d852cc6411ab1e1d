import { strings } from "~/strings/en";
import type { Selection } from "./selection";
import classes from "~/ui/Table.module.css";

const words = strings.admin.select;

export function SelectOne({ name, label = name, selection }: { name: string; label?: string; selection: Selection }) {
  return (
    <input
      type="checkbox"
      className={classes["check"]}
      aria-label={words.one(label)}
      checked={selection.has(name)}
      onChange={(event) => selection.set([name], event.currentTarget.checked)}
    />
  );
}

export function SelectAll({ names, selection }: { names: readonly string[]; selection: Selection }) {
  const all = names.length > 0 && names.every((name) => selection.has(name));
  const some = names.some((name) => selection.has(name));
  return (
    <input
      type="checkbox"
      className={classes["check"]}
      aria-label={words.all}
      checked={all}
      ref={(box) => {
        if (box !== null) box.indeterminate = some && !all;
      }}
      onChange={(event) => selection.set(names, event.currentTarget.checked)}
    />
  );
}
