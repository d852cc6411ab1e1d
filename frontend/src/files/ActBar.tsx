// The actions on the selected files; a disabled one says why.
import { Button } from "@mantine/core";

import type { FileEntry } from "~/api/types";
import { strings } from "~/strings/en";
import classes from "./Files.module.css";

const words = strings.files.actions;

interface ActBarProps {
  chosen: readonly FileEntry[];
  writable: boolean;
  onRename: (entry: FileEntry) => void;
  onMode: (entry: FileEntry) => void;
  onCut: () => void;
  onRemove: () => void;
  onClear: () => void;
}

export function ActBar({ chosen, writable, onRename, onMode, onCut, onRemove, onClear }: ActBarProps) {
  const [only] = chosen.length === 1 ? chosen : [];
  const fixed = writable ? undefined : words.cannotChange;
  const several = only === undefined ? words.oneOnly : undefined;
  const actions = [
    { label: words.rename, refused: fixed ?? several, act: () => only !== undefined && onRename(only) },
    { label: words.mode, refused: several, act: () => only !== undefined && onMode(only) },
    { label: words.cut, refused: fixed, act: onCut },
    { label: words.remove, refused: fixed, act: onRemove },
  ];
  return (
    <section className={`card ${classes["acts"]}`} aria-label={words.bar}>
      <strong role="status">{words.selected(chosen.length)}</strong>
      {actions.map(({ label, refused, act }) => (
        <Button key={label} size="xs" variant="default" disabled={refused !== undefined} title={refused} onClick={act}>
          {label}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {words.clear}
      </Button>
    </section>
  );
}
