// The output of a job: either stream, of any array task, followed while it runs.
import { NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useState } from "react";

import { isOver, isPending } from "~/api/jobStates";
import type { JobDetail, JobFile } from "~/api/jobTypes";
import { readJobOutput } from "~/api/jobs";
import { streams } from "~/paths";
import { strings } from "~/strings/en";
import { OutputPanel } from "~/ui/output/OutputPanel";
import type { OutputSource } from "~/ui/output/reader";
import { TaskNow } from "./TaskNow";
import { useTask } from "./useTask";

const words = strings.jobs.job;
const TYPING_PAUSE_MS = 400;

export function JobOutput({ job }: { job: JobDetail }) {
  const [file, setFile] = useState<JobFile>("stdout");
  const [typed, setTyped] = useTask(job);
  const [settled] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const task = job.array === null ? null : Number(settled);
  const waits = isPending(job) && job.array === null;
  const source = useMemo(() => sourceOf(job.id, file, task, isOver(job)), [job, file, task]);
  const apart = job.stderr !== null && job.stderr !== job.stdout;
  if (waits && job.started_at === null) return <p className="quiet">{words.notStarted}</p>;
  return (
    <>
      {task !== null && <TaskNow array={job} task={task} />}
      <OutputPanel
      source={source}
      label={words.streams[file]}
      fileName={`${job.id}${task === null ? "" : `_${task}`}.${file === "stdout" ? "out" : "err"}`}
      choices={
        <>
          {apart && (
            <NativeSelect
              size="xs"
              aria-label={words.stream}
              value={file}
              onChange={(event) => setFile(event.currentTarget.value as JobFile)}
              data={[
                { value: "stdout", label: words.streams.stdout },
                { value: "stderr", label: words.streams.stderr },
              ]}
            />
          )}
          {job.array !== null && (
            <TextInput
              size="xs"
              w={96}
              type="number"
              min={0}
              aria-label={words.task}
              leftSection="#"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        </>
      }
    />
    </>
  );
}

function sourceOf(id: string, file: JobFile, task: number | null, over: boolean): OutputSource {
  const query = { file, ...(task === null ? {} : { task }) };
  const follow = (offset: number) =>
    streams.jobOutput(id, new URLSearchParams(Object.entries({ ...query, offset }).map(([name, value]) => [name, String(value)])));
  return {
    key: `${id}/${file}/${task ?? ""}`,
    read: (offset, limit) => readJobOutput(id, { ...query, offset, limit }),
    ...(over ? {} : { follow }),
  };
}
