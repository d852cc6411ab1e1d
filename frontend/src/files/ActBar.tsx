// The actions on the selected files; a disabled one says why.
import { ActionIcon, Button, Menu } from "@mantine/core";
import { KebabHorizontalIcon } from "@primer/octicons-react";

import type { FileEntry } from "~/api/types";
import { strings } from "~/strings/en";
import classes from "./Files.module.css";
import type { Held } from "./useActs";

const words = strings.files.actions;

interface ActBarProps {
  chosen: readonly FileEntry[];
  writable: boolean;
  onRename: (entry: FileEntry) => void;
  onMode: (entry: FileEntry) => void;
  onHold: (by: Held["by"]) => void;
  onRemove: () => void;
  onErase: () => void;
  onClear: () => void;
}

export function ActBar({ chosen, writable, onRename, onMode, onHold, onRemove, onErase, onClear }: ActBarProps) {
  const [only] = chosen.length === 1 ? chosen : [];
  const fixed = writable ? undefined : words.cannotChange;
  const several = only === undefined ? words.oneOnly : undefined;
  const actions = [
    { label: words.copy, refused: undefined, act: () => onHold("copy") },
    { label: words.cut, refused: fixed, act: () => onHold("move") },
    { label: words.remove, refused: fixed, act: onRemove },
  ];
  const more = [
    { label: words.rename, refused: fixed ?? several, act: () => only !== undefined && onRename(only) },
    { label: words.mode, refused: several, act: () => only !== undefined && onMode(only) },
    { label: words.erase, refused: fixed, act: onErase },
  ];
  return (
    <section className={`card ${classes["acts"]}`} aria-label={words.bar}>
      <strong role="status">{words.selected(chosen.length)}</strong>
      {actions.map(({ label, refused, act }) => (
        <Button key={label} size="xs" variant="default" disabled={refused !== undefined} title={refused} onClick={act}>
          {label}
        </Button>
      ))}
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={words.more}>
            <KebabHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {more.map(({ label, refused, act }) => (
            <Menu.Item key={label} disabled={refused !== undefined} title={refused} onClick={act}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {words.clear}
      </Button>
    </section>
  );
}
