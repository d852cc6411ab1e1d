// Chooses files to upload, and shows what becomes of them.
import { ActionIcon, Button } from "@mantine/core";
import { PauseIcon, PlayIcon, XIcon } from "@primer/octicons-react";
import { useEffect, useRef, useSyncExternalStore } from "react";

import { changes, useChange } from "~/api/files";
import { fromThrown } from "~/api/errors";
import { useMe } from "~/api/queries";
import { inside } from "~/lib/path";
import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { Told } from "~/ui/Told";
import { ConflictDialog } from "./ConflictDialog";
import classes from "./Files.module.css";
import { UnfinishedUploads } from "./UnfinishedUploads";
import { foldersOf, ofInput, type Chosen } from "./chosen";
import { nameOf } from "./folder";
import { UploadQueue, guard, sendByTus, type UploadItem } from "./uploads";

const words = strings.files.uploads;
let owner = "";
let changed = () => {};
const queue = new UploadQueue(sendByTus(() => owner), () => changed());
guard(queue);

/** Puts chosen files into the queue, after their folders were made. */
export function useUpload(folder: string) {
  const make = useChange<unknown>();
  const read = useChange<unknown>();
  const me = useMe().data;
  useEffect(() => {
    owner = me?.username ?? "";
    // Folders are read again after each upload.
    changed = () => read.mutate(() => Promise.resolve(null));
  });
  const upload = (choosing: readonly Chosen[] | Promise<Chosen[]>) =>
    make.mutate(async () => {
      const chosen = await choosing;
      for (const inner of foldersOf(chosen)) {
        await changes.makeFolder(inside(folder, inner)).catch((thrown: unknown) => {
          if (fromThrown(thrown).code !== "exists") throw thrown;
        });
      }
      queue.add(chosen.map(({ file, path }) => ({ file, path: inside(folder, path) })));
    });
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
  const taken = items.filter(({ state }) => state === "clash");
  return (
    <>
      <UnfinishedUploads active={items} onContinue={(file, path) => queue.add([{ file, path }])} />
      {items.length > 0 && (
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
        </section>
      )}
      {taken.length > 0 && !items.some(({ state }) => state === "waiting") && (
        <ConflictDialog paths={taken.map(({ path }) => path)} onSettle={(conflict) => queue.settle(conflict)} />
      )}
    </>
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
