// The actions on the selected files; a disabled one says why.
import { ActionIcon, Button, Menu } from "@mantine/core";
import { ChevronDownIcon, KebabHorizontalIcon } from "@primer/octicons-react";

import type { FileEntry } from "~/api/types";
import { transfers } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./Files.module.css";
import type { Held } from "./useActs";

const words = strings.files.actions;
/** The portal packs so many paths at most; servers refuse longer URLs. */
const PACKED = 100;
const URL_AT_MOST = 7000;

interface ActBarProps {
  chosen: readonly FileEntry[];
  paths: readonly string[];
  writable: boolean;
  onRename: (entry: FileEntry) => void;
  onMode: (entry: FileEntry) => void;
  onHold: (by: Held["by"]) => void;
  onRemove: () => void;
  onErase: () => void;
  onClear: () => void;
}

export function ActBar({ chosen, paths, writable, onRename, onMode, onHold, onRemove, onErase, onClear }: ActBarProps) {
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
      <Download chosen={chosen} paths={paths} />
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

/** A single file as it is; folders and several files as an archive. */
function Download({ chosen, paths }: Pick<ActBarProps, "chosen" | "paths">) {
  const [path = ""] = paths;
  if (chosen.length === 1 && chosen[0]?.kind === "file") {
    return (
      <Button size="xs" variant="default" component="a" href={transfers.content(path)}>
        {strings.files.download}
      </Button>
    );
  }
  const tooMany = paths.length > PACKED || transfers.archive(paths, "zip").length > URL_AT_MOST;
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<ChevronDownIcon />} disabled={tooMany} title={tooMany ? words.tooMany : undefined}>
          {strings.files.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(["zip", "tar"] as const).map((format) => (
          <Menu.Item key={format} component="a" href={transfers.archive(paths, format)}>
            {words.packed[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
