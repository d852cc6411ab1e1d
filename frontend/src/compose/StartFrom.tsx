// What a new job can start from: a preset, one of my jobs, a file in my home, a pasted script, nothing.
import { Button } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { jobReads, readTextFile } from "~/api/jobs";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { changeOf } from "~/ui/corrections";
import { FilePicker } from "~/ui/files/FilePicker";
import classes from "./ComposeForm.module.css";
import { JobDialog } from "./JobDialog";
import { PasteDialog } from "./PasteDialog";
import { PresetDialog } from "./PresetDialog";
import { NOTHING, ofFile, ofJob, ofPasted, ofPreset, type Beginning } from "./beginning";

const words = strings.compose;

type Way = "preset" | "job" | "file" | "paste";
const WAYS: readonly [Way, string][] = [
  ["preset", words.fromPreset],
  ["job", words.fromJob],
  ["file", words.fromFile],
  ["paste", words.fromPaste],
];

export function StartFrom({ begun, onBegin }: { begun: Beginning; onBegin: (beginning: Beginning) => void }) {
  const queries = useQueryClient();
  const [way, setWay] = useState<Way | null>(null);
  const close = () => setWay(null);
  const take = (beginning: Beginning) => {
    close();
    onBegin(beginning);
  };
  const fromJob = useMutation({
    mutationFn: async (id: string) => ofJob(id, await queries.query(jobReads.again(id))),
    onSuccess: take,
  });
  const fromFile = useMutation({
    mutationFn: async (path: string) => ofFile(path, (await readTextFile(path)).text),
    onSuccess: take,
  });
  const error = fromJob.error ?? fromFile.error;
  const open = (next: Way) => {
    fromJob.reset();
    fromFile.reset();
    setWay(next);
  };
  return (
    <>
      <div className={classes["start"]} role="group" aria-label={words.startFrom}>
        <span>{words.startFrom}</span>
        {WAYS.map(([way, title]) => (
          <Button key={way} size="xs" variant="default" loading={way === "file" ? fromFile.isPending : way === "job" && fromJob.isPending} onClick={() => open(way)}>
            {title}
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={() => onBegin(NOTHING)}>
          {words.fromBlank}
        </Button>
      </div>
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} />}
      {begun.from !== null && <Begun begun={begun} />}
      {way === "preset" && <PresetDialog onChoose={(preset) => take(ofPreset(preset))} onClose={close} />}
      {way === "job" && (
        <JobDialog
          onChoose={(id) => {
            close();
            fromJob.mutate(id);
          }}
          onClose={close}
        />
      )}
      {way === "file" && (
        <FilePicker
          onChoose={(path) => {
            close();
            fromFile.mutate(path);
          }}
          onClose={close}
        />
      )}
      {way === "paste" && <PasteDialog onUse={(script) => take(ofPasted(script))} onClose={close} />}
    </>
  );
}

/** What it was started from, and which values were corrected and why. */
function Begun({ begun: { from, corrections, caution } }: { begun: Beginning }) {
  return (
    <div className={classes["begun"]} role="status">
      <p>
        {words.began(from ?? "")} {corrections.length > 0 && words.corrected}
      </p>
      {caution != null && (
        <p className={classes["caution"]}>
          <AlertIcon size={12} /> {caution}
        </p>
      )}
      {corrections.length > 0 && (
        <ul>
          {corrections.map((correction) => (
            <li key={correction.field}>
              <strong>{changeOf(correction)}</strong> <span className="quiet">{correction.why}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
