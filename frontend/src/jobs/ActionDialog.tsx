// Asks before acting on jobs, naming each one affected, and afterwards shows what failed.
import { Button, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";

import type { JobAction, JobActionResult } from "~/api/jobTypes";
import { useJobActions } from "~/api/jobs";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./ActionDialog.module.css";
import { applies, type Target } from "./actions";

const words = strings.jobs.actions;
const NAMED_AT_MOST = 50;

interface ActionDialogProps {
  action: JobAction;
  targets: readonly Target[];
  /** Closes; `done` if the action succeeded on at least one. */
  onClose: (done: boolean) => void;
}

export function ActionDialog({ action, targets, onClose }: ActionDialogProps) {
  const act = useJobActions();
  const [minutes, setMinutes] = useState("");
  const [wrong, setWrong] = useState(false);
  // As they were when the dialog opened: what the user confirms must not change meanwhile.
  const [asked] = useState(targets);
  const hit = asked.filter((target) => applies(action, target));
  const failed = act.data?.results.filter(({ ok }) => !ok) ?? [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isTime = action === "time_limit";
    const valid = /^[1-9]\d{0,6}$/.test(minutes.trim());
    setWrong(isTime && !valid);
    if (isTime && !valid) return;
    const order = { ids: hit.map(({ id }) => id), action, ...(isTime ? { walltime_s: Number(minutes) * 60 } : {}) };
    act.mutate(order, { onSuccess: ({ results }) => results.every(({ ok }) => ok) && onClose(true) });
  };
  return (
    <Dialog opened onClose={() => onClose(act.isSuccess)} title={words.ask[action](hit.length)} closeLabel={strings.dialog.close}>
      <form onSubmit={submit} noValidate>
        <p className={classes["means"]}>{words.means[action]}</p>
        {action === "time_limit" && (
          <TextInput
            data-autofocus
            label={words.minutes}
            inputMode="numeric"
            value={minutes}
            error={wrong ? words.minutesBad : undefined}
            onChange={(event) => setMinutes(event.currentTarget.value)}
          />
        )}
        <Named targets={hit} failed={failed} />
        {failed.length > 0 && failed.length < hit.length && <p>{words.worked(hit.length - failed.length)}</p>}
        {hit.length < asked.length && <p className="quiet small">{words.notHit(asked.length - hit.length)}</p>}
        {act.error !== null && <ProblemNote error={act.error} title={words.failed} />}
        <DialogActions>
          <Button variant="default" onClick={() => onClose(act.isSuccess)} {...(action === "time_limit" ? {} : { "data-autofocus": true })}>
            {act.isSuccess ? words.close : words.keep}
          </Button>
          {!act.isSuccess && (
            <Button type="submit" loading={act.isPending} {...(action === "cancel" ? { color: "bad" } : {})}>
              {words.confirm[action](hit.length)}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The affected jobs, or those that failed, with the reason. */
function Named({ targets, failed }: { targets: readonly Target[]; failed: readonly JobActionResult[] }) {
  const wrong = new Map(failed.map(({ id, message }) => [id, message]));
  const shown = failed.length === 0 ? targets : targets.filter(({ id }) => wrong.has(id));
  return (
    <section role={failed.length > 0 ? "alert" : undefined}>
      <h3 className="section-title">{failed.length > 0 ? words.failedTitle : words.hits}</h3>
      <ul className={classes["named"]}>
        {shown.slice(0, NAMED_AT_MOST).map(({ id, name, array }) => (
          <li key={id}>
            <span className="mono">{id}</span> {name}
            {array !== null && <span className="quiet"> · {strings.jobs.array.tasks(array.pending + array.running)}</span>}
            {wrong.has(id) && <p className={classes["wrong"]}>{wrong.get(id)}</p>}
          </li>
        ))}
        {shown.length > NAMED_AT_MOST && <li className="quiet">{words.andMore(shown.length - NAMED_AT_MOST)}</li>}
      </ul>
    </section>
  );
}
