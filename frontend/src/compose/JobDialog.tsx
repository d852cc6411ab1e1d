import { Skeleton, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

import { jobReads } from "~/api/jobs";
import { strings } from "~/strings/en";
import { Dialog } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark } from "~/ui/StateMark";
import { lookOfJob } from "~/ui/jobLook";
import { resourcesOf } from "~/ui/jobWords";
import classes from "./ComposeForm.module.css";

const words = strings.compose;
const TYPING_PAUSE_MS = 250;
const SHOWN = 30;

/** A list of my jobs to choose from, newest first. */
export function JobDialog({ onChoose, onClose }: { onChoose: (id: string) => void; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [query] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const { data, error, refetch } = useInfiniteQuery(jobReads.list({ scope: "all", query }));
  const jobs = data?.pages[0]?.items.slice(0, SHOWN);
  return (
    <Dialog opened onClose={onClose} title={words.chooseJob} closeLabel={strings.dialog.close}>
      <TextInput
        data-autofocus
        type="search"
        mb="xs"
        aria-label={strings.jobs.filter}
        placeholder={strings.jobs.filter}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {jobs === undefined && error === null && <Skeleton height={200} />}
      {jobs?.length === 0 && <p className="quiet">{query === "" ? words.jobsNone : strings.jobs.filterNone(query)}</p>}
      <ul className={classes["presets"]}>
        {jobs?.map((job) => (
          <li key={job.id}>
            <button type="button" className={classes["preset"]} onClick={() => onChoose(job.id)}>
              <span>
                <strong>{job.name}</strong> <span className="mono quiet">{job.id}</span>
              </span>
              <span className="quiet">
                <StateMark look={lookOfJob(job)} /> {lookOfJob(job).word} · {resourcesOf(job)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
