// One action on selected jobs of any user: names those affected, asks for the value it needs, and shows each result.
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";

import classes from "~/ui/Form.module.css";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { useJobsAction, type JobResult, type JobsAction, type QueueRow } from "./jobs";

const words = strings.admin.jobs;

interface JobActionDialogProps {
  action: JobsAction["action"];
  jobs: readonly Pick<QueueRow, "id" | "user" | "name">[];
  /** All succeeded; with their number. */
  onDone?: (count: number) => void;
  onClose: () => void;
}

export function JobActionDialog({ action, jobs: chosen, onDone, onClose }: JobActionDialogProps) {
  const act = useJobsAction();
  const [hits] = useState(chosen);
  const [value, setValue] = useState("");
  const [failed, setFailed] = useState<readonly JobResult[]>([]);
  // "Try again" repeats only what failed.
  const jobs = failed.length === 0 ? hits : hits.filter(({ id }) => failed.some((failure) => failure.id === id));
  const needs = action === "time_limit" ? words.hours : action === "priority" ? words.priorityValue : null;
  const people = [...new Set(jobs.map(({ user }) => user))].sort();
  const asked: JobsAction = {
    jobs: jobs.map(({ id }) => id),
    action,
    walltime_s: action === "time_limit" ? Math.round(Number(value) * 3600) : null,
    priority: action === "priority" ? Math.round(Number(value)) : null,
  };
  return (
    <Dialog opened onClose={onClose} title={words.titles[action](hits.length)} closeLabel={strings.dialog.close}>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(asked, {
            onSuccess: ({ results }) => {
              const not = results.filter(({ ok }) => !ok);
              setFailed(not);
              if (not.length > 0) return;
              onDone?.(hits.length);
              onClose();
            },
          });
        }}
      >
        <div className={classes["affected"]}>
          <p>{words.affected(people)}</p>
          <ul>
            {jobs.slice(0, 8).map((job) => (
              <li key={job.id}>{words.one(job.user, job.name, job.id)}</li>
            ))}
          </ul>
          {jobs.length > 8 && <p className="quiet">{words.more(jobs.length - 8)}</p>}
        </div>
        <p className="quiet">{words.texts[action]}</p>
        {needs !== null && (
          <TextInput
            type="number"
            label={needs}
            min={action === "time_limit" ? 0.25 : 1}
            step={action === "time_limit" ? 0.25 : 1}
            required
            data-autofocus
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        {failed.length > 0 && (
          <div role="alert" className={classes["affected"]}>
            <ul>
              {failed.map(({ id, message }) => (
                <li key={id}>{words.failedOne(id, message)}</li>
              ))}
            </ul>
          </div>
        )}
        {act.error !== null && <ProblemNote error={act.error} title={words.failed} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {failed.length > 0 ? strings.dialog.close : words.keep}
          </Button>
          <Button type="submit" {...(action === "cancel" || action === "requeue" ? { color: "bad" } : {})} loading={act.isPending}>
            {words.actions[action]}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
