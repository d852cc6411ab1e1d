// Chooses files to upload, and shows what becomes of them.
import { ActionIcon, Button } from "@mantine/core";
import { PauseIcon, PlayIcon, XIcon } from "@primer/octicons-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";

import { changes, useChange } from "~/api/files";
import { fromThrown } from "~/api/errors";
import { inside } from "~/lib/path";
import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { Told } from "~/ui/Told";
import { ConflictDialog } from "./ConflictDialog";
import classes from "./Files.module.css";
import { foldersOf, ofInput, type Chosen } from "./chosen";
import { nameOf } from "./folder";
import { UploadQueue, sendByTus, unfinished, type UploadItem } from "./uploads";

const words = strings.files.uploads;
let changed = () => {};
const queue = new UploadQueue(sendByTus, () => changed());

/** Puts chosen files into the queue, after their folders were made. */
export function useUpload(folder: string) {
  const make = useChange<unknown>();
  const read = useChange<unknown>();
  useEffect(() => {
    // Folders are read again after each upload.
    changed = () => read.mutate(() => Promise.resolve(null));
  });
  const upload = (chosen: readonly Chosen[]) =>
    make.mutate(
      async () => {
        for (const inner of foldersOf(chosen)) {
          await changes.makeFolder(inside(folder, inner)).catch((thrown: unknown) => {
            if (fromThrown(thrown).code !== "exists") throw thrown;
          });
        }
      },
      { onSuccess: () => queue.add(chosen.map(({ file, path }) => ({ file, path: inside(folder, path) }))) },
    );
  return { upload, error: make.error };
}

export function UploadButtons({ onChosen }: { onChosen: (chosen: Chosen[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    onChosen(ofInput(input.files));
    input.value = "";
  };
  return (
    <>
      <input ref={files} type="file" multiple hidden aria-label={words.files} onChange={(event) => take(event.currentTarget)} />
      <input
        ref={(input) => {
          folder.current = input;
          input?.setAttribute("webkitdirectory", "");
        }}
        type="file"
        hidden
        aria-label={words.folder}
        onChange={(event) => take(event.currentTarget)}
      />
      <Button size="xs" onClick={() => files.current?.click()}>
        {words.files}
      </Button>
      <Button size="xs" variant="default" onClick={() => folder.current?.click()}>
        {words.folder}
      </Button>
    </>
  );
}

export function Uploads() {
  const items = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const [left, setLeft] = useState<string[]>([]);
  const active = queue.active;
  useEffect(() => {
    const online = () => queue.reconnect();
    window.addEventListener("online", online);
    return () => window.removeEventListener("online", online);
  }, []);
  useEffect(() => {
    if (items.length === 0) void unfinished().then(setLeft);
  }, [items.length]);
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [active]);
  const taken = items.filter(({ state }) => state === "clash");
  if (items.length === 0) return left.length === 0 ? null : <p className="quiet">{words.unfinished(left.map(nameOf))}</p>;
  return (
    <section className={`card ${classes["uploads"]}`} aria-label={words.label}>
      <ul>
        {items.map((item) => (
          <Line key={item.id} item={item} />
        ))}
      </ul>
      {items.some(({ state }) => state === "done" || state === "failed") && (
        <Button size="xs" variant="subtle" onClick={() => queue.clear()}>
          {words.clear}
        </Button>
      )}
      {taken.length > 0 && !items.some(({ state }) => state === "waiting") && (
        <ConflictDialog paths={taken.map(({ path }) => path)} onSettle={(conflict) => queue.settle(conflict)} />
      )}
    </section>
  );
}

function Line({ item: { id, path, size, sent, speed, state, problem } }: { item: UploadItem }) {
  const name = nameOf(path);
  const goes = state === "running" || state === "waiting";
  return (
    <li className={classes["upload"]}>
      <span className={classes["uploadName"]}>{name}</span>
      <progress aria-label={words.progress(name)} max={size || 1} value={state === "done" ? size || 1 : sent} />
      <span className="quiet small">{words.amount(bytes(sent), bytes(size), speed === null ? null : bytes(speed))}</span>
      <span className="small" role="status">
        {words.states[state]}
        {state === "failed" && problem !== null && (
          <>
            : <Told text={problem.message} />
          </>
        )}
      </span>
      {goes && (
        <ActionIcon aria-label={words.pause(name)} onClick={() => queue.pause(id)}>
          <PauseIcon />
        </ActionIcon>
      )}
      {(state === "paused" || state === "lost" || state === "failed") && (
        <ActionIcon aria-label={words.resume(name)} onClick={() => queue.resume(id)}>
          <PlayIcon />
        </ActionIcon>
      )}
      {state !== "done" && (
        <ActionIcon aria-label={words.cancel(name)} onClick={() => queue.cancel(id)}>
          <XIcon />
        </ActionIcon>
      )}
    </li>
  );
}
