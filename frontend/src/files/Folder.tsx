// The open folder: its table, the keys that act on it, and the dialogs of its changes.
import { Button } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";

import { changes, saveText } from "~/api/files";
import type { FileEntry, Files } from "~/api/types";
import { above, inside } from "~/lib/path";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { useSelection } from "~/ui/table/useSelection";
import { ActBar } from "./ActBar";
import { EraseDialog } from "./EraseDialog";
import classes from "./Files.module.css";
import { FolderTable, entryId } from "./FolderTable";
import { NameDialog } from "./NameDialog";
import { OpenIn } from "./OpenIn";
import { Operations } from "./Operations";
import { OutcomeNote } from "./OutcomeNote";
import { UploadButtons, Uploads, useUpload } from "./Uploads";
import { ofDrop } from "./chosen";
import type { Acts, Held } from "./useActs";
import { useDrop } from "./useDrop";

const words = strings.files;

interface FolderProps {
  path: string;
  folder: Files;
  rows: readonly FileEntry[];
  sort: string;
  onSort: (sort: string) => void;
  opened: string;
  onOpen: (entry: FileEntry) => void;
  onUp: (path: string) => void;
  onMode: (entry: FileEntry) => void;
  acts: Acts;
}

type Asking = { about: "folder" | "file" } | { about: "name"; entry: FileEntry } | { about: "erase"; paths: string[] };

export function Folder({ path, folder, rows, opened, onOpen, onUp, onMode, acts, ...order }: FolderProps) {
  const selection = useSelection(entryId);
  const { upload, error: refused } = useUpload(path);
  const dragged = useDrop(folder.writable ? (items) => upload(ofDrop(items)) : null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const pathsOf = (entries: readonly FileEntry[]) => entries.map(({ name }) => inside(path, name));
  const hold = (by: Held["by"]) => (entries: readonly FileEntry[]) => {
    acts.setHeld({ by, paths: pathsOf(entries) });
    selection.clear();
  };
  const erase = (entries: readonly FileEntry[]) => setAsking({ about: "erase", paths: pathsOf(entries) });
  const remove = (entries: readonly FileEntry[]) => {
    acts.remove(pathsOf(entries));
    selection.clear();
  };
  const keys: Record<string, (entries: readonly FileEntry[]) => void> = {
    F2: ([entry]) => entry !== undefined && setAsking({ about: "name", entry }),
    Delete: (entries) => entries.length > 0 && remove(entries),
    "Shift+Delete": (entries) => entries.length > 0 && erase(entries),
    "Ctrl+x": (entries) => entries.length > 0 && hold("move")(entries),
    "Ctrl+c": (entries) => entries.length > 0 && hold("copy")(entries),
    "Ctrl+v": () => acts.paste(path),
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || target.closest("[aria-modal='true'], input:not([type='checkbox'])") !== null) return;
    const up = above(path);
    if (event.key === "Backspace" && up !== null) {
      onUp(up);
      return;
    }
    const key = event.ctrlKey || event.metaKey ? `Ctrl+${event.key.toLowerCase()}` : `${event.shiftKey ? "Shift+" : ""}${event.key}`;
    // Selected text is copied as text.
    const copies = key === "Ctrl+c" && window.getSelection()?.isCollapsed !== false;
    const act = copies || (folder.writable && key !== "Ctrl+c") ? keys[key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    const name = target.closest("tr")?.querySelector<HTMLElement>("[data-name]")?.dataset["name"];
    act(selection.chosen.length > 0 ? selection.chosen : rows.filter((row) => row.name === name));
  };
  return (
    // The controls inside take the focus; their keys act on the folder.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKey}>
      {dragged && (
        <div className={classes["drop"]} role="status">
          {folder.writable ? words.uploads.drop(path) : words.uploads.noDrop}
        </div>
      )}
      <div className={classes["bar"]}>
        {folder.writable ? (
          <>
            <UploadButtons onChosen={upload} />
            <Button size="xs" variant="default" onClick={() => setAsking({ about: "folder" })}>
              {words.actions.newFolder}
            </Button>
            <Button size="xs" variant="default" onClick={() => setAsking({ about: "file" })}>
              {words.actions.newFile}
            </Button>
            {acts.held !== null && (
              <>
                <Button size="xs" loading={acts.busy} onClick={() => acts.paste(path)}>
                  {words.actions.paste[acts.held.by](acts.held.paths.length)}
                </Button>
                <Button size="xs" variant="subtle" onClick={() => acts.setHeld(null)}>
                  {words.actions.forget}
                </Button>
              </>
            )}
          </>
        ) : (
          <span className="quiet">{words.readOnly}</span>
        )}
        <OpenIn path={path} folder />
        <span className={`quiet small ${classes["shared"]}`}>{folder.shared_with}</span>
      </div>
      <div className={classes["problem"]}>{refused !== null && <ProblemNote error={refused} />}</div>
      <Uploads />
      <Operations acts={acts} />
      <OutcomeNote acts={acts} />
      {rows.length > 0 && <FolderTable rows={rows} selection={selection} opened={opened} onOpen={onOpen} {...order} />}
      {selection.chosen.length > 0 && (
        <ActBar
          chosen={selection.chosen}
          paths={pathsOf(selection.chosen)}
          writable={folder.writable}
          onRename={(entry) => setAsking({ about: "name", entry })}
          onMode={onMode}
          onHold={(by) => hold(by)(selection.chosen)}
          onErase={() => erase(selection.chosen)}
          onRemove={() => remove(selection.chosen)}
          onClear={selection.clear}
        />
      )}
      {asking?.about === "erase" && (
        <EraseDialog
          count={asking.paths.length}
          onErase={() => {
            acts.erase(asking.paths);
            selection.clear();
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking !== null && asking.about !== "erase" && (
        <Ask
          asking={asking}
          path={path}
          onClose={(name) => {
            setAsking(null);
            if (name !== null) selection.clear();
          }}
        />
      )}
    </div>
  );
}

function Ask({ asking, path, onClose }: { asking: Exclude<Asking, { about: "erase" }>; path: string; onClose: (name: string | null) => void }) {
  if (asking.about === "name") {
    const { name } = asking.entry;
    const title = `${words.actions.rename} ${name}`;
    return <NameDialog title={title} submit={words.actions.rename} name={name} change={(next) => changes.rename(inside(path, name), next)} onClose={onClose} />;
  }
  const folder = asking.about === "folder";
  const change = (name: string) =>
    folder
      ? changes.makeFolder(inside(path, name))
      : saveText({ path: inside(path, name), text: "", version: null, encoding: "utf-8", line_end: "lf" });
  return <NameDialog title={folder ? words.actions.newFolder : words.actions.newFile} submit={words.create} change={change} onClose={onClose} />;
}
