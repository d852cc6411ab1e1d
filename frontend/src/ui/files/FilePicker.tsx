// Chooses one of my files by browsing; the portal reads folders as me.
import { Button, Skeleton, TextInput } from "@mantine/core";
import { ArrowUpIcon, FileDirectoryFillIcon, FileIcon } from "@primer/octicons-react";
import { useState, type SubmitEvent } from "react";

import { useFiles } from "~/api/queries";
import type { Files } from "~/api/types";
import { above, inside, trimmed } from "~/lib/path";
import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { Dialog } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./FilePicker.module.css";

const words = strings.files;

interface FilePickerProps {
  /** The folder that it opens. */
  start?: string;
  onChoose: (path: string) => void;
  onClose: () => void;
}

export function FilePicker({ start = "~", onChoose, onClose }: FilePickerProps) {
  const [path, setPath] = useState(start);
  const [typed, setTyped] = useState(path);
  const { data, error, refetch } = useFiles(path);
  const up = above(path);
  const go = (next: string) => {
    setPath(next);
    setTyped(next);
  };
  const type = (event: SubmitEvent) => {
    event.preventDefault();
    // In React it reaches the form around the picker, too, and would submit it.
    event.stopPropagation();
    setPath(trimmed(typed.trim()) || "~");
  };
  return (
    <Dialog opened onClose={onClose} title={words.chooseFile} closeLabel={strings.dialog.close}>
      <form className={classes["where"]} onSubmit={type}>
        <Button variant="default" aria-label={words.up} title={words.up} disabled={up === null} onClick={() => up !== null && go(up)}>
          <ArrowUpIcon />
        </Button>
        <TextInput data-autofocus aria-label={words.path} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        <Button type="submit" variant="default">
          {words.go}
        </Button>
      </form>
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={240} />}
      {data?.kind === "file" && <Button onClick={() => onChoose(path)}>{words.take(path)}</Button>}
      {data !== undefined && data.kind !== "file" && (
        <Entries folder={data} onGo={(name) => go(inside(path, name))} onTake={(name) => onChoose(inside(path, name))} />
      )}
    </Dialog>
  );
}

interface EntriesProps {
  folder: Files;
  onGo: (name: string) => void;
  onTake: (name: string) => void;
}

function Entries({ folder, onGo, onTake }: EntriesProps) {
  const shown = folder.entries
    .filter(({ kind, name }) => !name.startsWith(".") && (kind === "folder" || kind === "file"))
    .sort((a, b) => Number(b.kind === "folder") - Number(a.kind === "folder") || a.name.localeCompare(b.name));
  return (
    <>
      <ul className={classes["entries"]} aria-label={words.label}>
        {shown.map(({ name, kind, size }) => (
          <li key={name}>
            <button type="button" className={classes["entry"]} onClick={() => (kind === "folder" ? onGo(name) : onTake(name))}>
              {kind === "folder" ? <FileDirectoryFillIcon className={classes["icon"] ?? ""} /> : <FileIcon className={classes["icon"] ?? ""} />}
              <span className={classes["name"]}>{name}</span>
              {kind === "file" && <span className="quiet small">{bytes(size)}</span>}
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className="quiet">{words.empty}</li>}
      </ul>
      {folder.truncated && <p className="quiet small">{words.truncated}</p>}
    </>
  );
}
