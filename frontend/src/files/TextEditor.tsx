// A text in the editor. It is saved over the version that was read; a newer version is shown instead of overwritten.
import { Button, Skeleton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Suspense, lazy, useEffect, useState } from "react";

import { fileReads, readText, saveText, useChange, type TextFile } from "~/api/files";
import { fromThrown } from "~/api/errors";
import { inside } from "~/lib/path";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./Files.module.css";
import { copyName, nameOf, parentOf } from "./folder";

const ScriptEditor = lazy(() => import("~/ui/script/ScriptEditor"));
const words = strings.files.editor;
const SCRIPTS = /\.(sh|bash|sbatch|slurm|job)$/;

interface TextEditorProps {
  file: TextFile;
  writable: boolean;
  /** Whether there are changes that are not saved. */
  onDirty: (dirty: boolean) => void;
  /** Opens what somebody else has saved meanwhile. */
  onTake: (newer: TextFile) => void;
}

export function TextEditor({ file, writable, onDirty, onTake }: TextEditorProps) {
  const queries = useQueryClient();
  const read = textOf(file);
  const [text, setText] = useState(read);
  const [kept, setKept] = useState({ text: read, version: file.version });
  const [note, setNote] = useState("");
  const [newer, setNewer] = useState<TextFile | null>(null);
  const send = useChange<{ version: string }>();
  const dirty = text !== kept.text;
  useWarning(dirty);
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [dirty, onDirty]);
  const { path, encoding, line_end } = file;
  const save = () =>
    send.mutate(() => saveText({ path, text, version: kept.version, encoding, line_end }), {
      onSuccess: ({ version }) => {
        queries.setQueryData(fileReads.text(path).queryKey, { ...file, text, version });
        setKept({ text, version });
        setNote(words.saved);
      },
    });
  const saveCopy = () => {
    const copy = inside(parentOf(path), copyName(nameOf(path)));
    send.mutate(() => saveText({ path: copy, text, version: null, encoding, line_end }), {
      onSuccess: () => {
        setKept({ text, version: kept.version });
        setNote(words.copied(nameOf(copy)));
      },
    });
  };
  const reading = useMutation({ mutationFn: () => readText(path), onSuccess: setNewer });
  const changed = send.error !== null && fromThrown(send.error).code === "changed_meanwhile";
  return (
    // Ctrl+S saves from anywhere in the editor.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes["editor"]}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
        event.preventDefault();
        if (dirty && writable) save();
      }}
    >
      <div className={classes["bar"]}>
        {writable && (
          <Button size="xs" disabled={!dirty} loading={send.isPending} onClick={save}>
            {strings.files.save}
          </Button>
        )}
        <span role="status" className="quiet small">
          {!writable ? words.readOnly : dirty ? words.unsaved : note}
        </span>
        <span className="quiet small">{words.format(encoding, words.lineEnds[line_end ?? "mixed"])}</span>
      </div>
      {changed && (
        <div className={classes["changed"]} role="alert">
          <p>{words.changed}</p>
          <Button size="xs" variant="default" onClick={() => (newer === null ? reading.mutate() : setNewer(null))}>
            {newer === null ? words.showNewer : words.hideNewer}
          </Button>
          <Button size="xs" variant="default" onClick={saveCopy}>
            {words.saveCopy}
          </Button>
          {newer !== null && (
            <Button size="xs" variant="default" onClick={() => onTake(newer)}>
              {words.takeNewer}
            </Button>
          )}
        </div>
      )}
      {reading.error !== null && <ProblemNote error={reading.error} />}
      {send.error !== null && !changed && <ProblemNote error={send.error} />}
      <Suspense fallback={<Skeleton height={240} />}>
        {newer !== null && <ScriptEditor plain value={textOf(newer)} label={words.newer(nameOf(path))} />}
        <ScriptEditor
          plain={!SCRIPTS.test(path)}
          mixedLineEnds={line_end === null}
          value={text}
          label={words.label(nameOf(path))}
          {...(writable && { onChange: setText })}
        />
      </Suspense>
    </div>
  );
}

/** The editor ends every line alike; the portal writes the file's own line ends again. */
const textOf = ({ text, line_end }: TextFile) => (line_end === null ? text : text.replace(/\r\n?/g, "\n"));

function useWarning(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [dirty]);
}
