// The operations that go on, and what became of those that are over.
import { ActionIcon, Button } from "@mantine/core";
import { StopIcon, XIcon } from "@primer/octicons-react";
import { useState } from "react";

import type { Conflict, Failed, Operation } from "~/api/files";
import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { ConflictDialog } from "./ConflictDialog";
import classes from "./Files.module.css";
import { nameOf } from "./folder";
import { isOver, useEnd, useOperations, type Shown } from "./operations";
import type { Acts } from "./useActs";

const words = strings.files.operations;

export function Operations({ acts }: { acts: Acts }) {
  const items = useOperations();
  const end = useEnd();
  if (items.length === 0) return null;
  return (
    <section className={`card ${classes["uploads"]}`} aria-label={words.label}>
      {end.error !== null && <ProblemNote error={end.error} />}
      <ul>
        {items.map((item) => (
          <Line key={item.id} item={item} acts={acts} onEnd={() => end.mutate(item)} />
        ))}
      </ul>
    </section>
  );
}

function Line({ item, acts, onEnd }: { item: Shown; acts: Acts; onEnd: () => void }) {
  const [asking, setAsking] = useState(false);
  const title = titleOf(item);
  const over = isOver(item);
  const taken = over ? item.failed.filter(({ code }) => code === "exists").map(({ path }) => path) : [];
  const settle = (conflict: Exclude<Conflict, "refuse"> | null) => {
    setAsking(false);
    if (conflict === null) return;
    acts.carry(item.kind === "copy" ? "copy" : "move", taken, item.target, conflict);
    // What did not fit into the list would be forgotten with it.
    if (item.failed_count === taken.length) onEnd();
  };
  return (
    <li className={classes["operation"]}>
      <div className={classes["upload"]}>
        <span className={classes["uploadName"]}>{title}</span>
        {!over && <progress aria-label={words.progress(title)} {...progressOf(item)} />}
        <span className="small" role="status">
          {wordOf(item)}
        </span>
        {taken.length > 0 && (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            {words.resolve}
          </Button>
        )}
        {over ? (
          <ActionIcon aria-label={words.dismiss(title)} title={words.dismiss(title)} onClick={onEnd}>
            <XIcon />
          </ActionIcon>
        ) : (
          <ActionIcon aria-label={words.cancel(title)} title={words.cancel(title)} disabled={item.cancelling} onClick={onEnd}>
            <StopIcon />
          </ActionIcon>
        )}
      </div>
      <p className="quiet small">{over ? item.message : amountOf(item)}</p>
      {!over && item.current !== "" && <p className={`quiet small mono ${classes["current"]}`}>{item.current}</p>}
      {over && <Notes label={words.failed(item.failed_count)} notes={item.failed} count={item.failed_count} />}
      {over && <Notes label={words.left(item.left_count)} notes={item.left} count={item.left_count} />}
      {asking && <ConflictDialog paths={taken} onSettle={settle} />}
    </li>
  );
}

function Notes({ label, notes, count }: { label: string; notes: readonly Failed[]; count: number }) {
  if (count === 0) return null;
  return (
    <details className="small">
      <summary>{label}</summary>
      <ul className={classes["notes"]}>
        {notes.map(({ path, message }) => (
          <li key={path}>
            <span className="mono">{path}</span>: {message}
          </li>
        ))}
        {count > notes.length && <li>{words.more(count - notes.length)}</li>}
      </ul>
    </details>
  );
}

/** `Copy a.txt and 2 more to ~/b`. */
function titleOf({ kind, first, count, target }: Operation): string {
  if (kind === "empty") return count === 0 ? words.emptyAll : words.emptySome(count);
  return words.titles[kind](count > 1 ? words.andMore(nameOf(first), count - 1) : nameOf(first), target);
}

const wordOf = ({ state, cancelling, stalled, ended }: Operation) =>
  ended !== null ? words.states[state] : cancelling ? words.cancelling : stalled ? words.stalled : words.states[state];

function progressOf({ bytes_done, bytes_total, entries_done, entries_total }: Operation) {
  if (bytes_total) return { max: bytes_total, value: bytes_done };
  return entries_total ? { max: entries_total, value: entries_done } : {};
}

function amountOf({ kind, state, bytes_done, bytes_total, entries_done, entries_total, speed }: Shown): string {
  if (state === "waiting") return "";
  const sizes = kind === "copy" || kind === "move";
  return [
    words.entries(entries_done, entries_total),
    ...(sizes ? [words.bytes(bytes(bytes_done), bytes_total === null ? null : bytes(bytes_total))] : []),
    ...(sizes && speed ? [words.speed(bytes(speed))] : []),
  ].join(" · ");
}
