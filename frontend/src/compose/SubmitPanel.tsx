// The submit button. What the job will get and Slurm's check are below it, so that an answer does not move the button.
import { Button } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useState } from "react";

import { Problem } from "~/api/errors";
import type { JobCheck, JobForm } from "~/api/jobTypes";
import { useSite } from "~/api/queries";
import { numbersOf } from "~/lib/ranges";
import { clock, secondsUntil, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import panel from "~/ui/ActPanel.module.css";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark } from "~/ui/StateMark";
import classes from "./ComposeForm.module.css";

const words = strings.compose;
/** Slurm's dry run starts a job that could run at once some seconds from now. */
const NOW_S = 10;

interface SubmitPanelProps {
  form: JobForm;
  from: string | null;
  /** Nothing to submit yet. */
  empty: boolean;
  check: JobCheck | undefined;
  checking: boolean;
  changed: boolean;
  checkError: Error | null;
  submitting: boolean;
  submitError: Error | null;
  onCheck: () => void;
}

export function SubmitPanel({ form, from, empty, check, checking, changed, checkError, submitting, submitError, onCheck }: SubmitPanelProps) {
  const down = useSite().data?.slurm.state === "down";
  const tasks = form.nodes * (form.tasks_per_node ?? 1);
  return (
    <section className={`card ${panel["panel"]} ${classes["panel"]}`} aria-label={words.summary}>
      <div className={`${panel["act"]} ${classes["act"]}`}>
        <Button type="submit" loading={submitting} disabled={empty} title={empty ? words.empty : undefined}>
          {words.submit}
        </Button>
        <Button variant="default" loading={checking} disabled={empty} title={words.checkHint} onClick={onCheck}>
          {words.check}
        </Button>
      </div>
      <p className={classes["total"]}>
        {form.array !== null && `${words.arrayTotal(numbersOf(form.array.range)?.length ?? null, form.array.at_once ?? null)} `}
        {words.total(form.nodes, tasks, form.nodes * form.gpus_per_node, tasks * (form.cpus_per_task ?? 1))}
        {form.walltime_s !== null && <span className="quiet"> · {span(form.walltime_s)}</span>}
        {form.partition !== null && <span className="quiet"> · {form.partition}</span>}
      </p>
      {from !== null && form.workdir === null && <p className="quiet small">{words.from(from)}</p>}
      <div role="status">
        {checking && <p className="quiet">{words.checking}</p>}
        {!checking && check !== undefined && <Result check={check} />}
        {!checking &&
          check?.cautions.map((text) => (
            <p key={text} className={classes["caution"]}>
              <AlertIcon size={12} /> {text}
            </p>
          ))}
        {!checking && changed && check === undefined && <p className="quiet">{words.changed}</p>}
      </div>
      {checkError !== null && <ProblemNote error={checkError} title={words.checkFailed} />}
      {submitError !== null && (
        <div>
          <ProblemNote error={submitError} title={words.failed} />
          {submitError instanceof Problem && submitError.kind !== "refused" && <p className="quiet small">{words.keptDraft}</p>}
        </div>
      )}
      {down && <p className="quiet small">{words.slurmDown}</p>}
    </section>
  );
}

function Result({ check }: { check: JobCheck }) {
  const now = useNow(60);
  // The clock above may be a minute old.
  const [answeredAt] = useState(() => Date.now());
  if (!check.ok) {
    return (
      <div className={classes["result"]}>
        <StateMark look={{ shape: "cross", tone: "bad" }} />
        <div>
          <p>{check.problems.length === 0 ? check.text : words.fix(check.problems.length)}</p>
          <ul>
            {check.problems.map(({ field, message }) => (
              <li key={`${field}${message}`}>{message}</li>
            ))}
          </ul>
        </div>
      </div>
    );
  }
  const later = check.starts_at !== null && secondsUntil(check.starts_at, answeredAt) > NOW_S;
  return (
    <div className={classes["result"]}>
      <StateMark look={later ? { shape: "clock", tone: "wait" } : { shape: check.starts_at === null ? "check" : "full", tone: "good" }} />
      <p>{check.starts_at === null ? words.accepted : later ? words.startsBy(clock(check.starts_at, now), check.nodes) : words.startsNow(check.nodes)}</p>
    </div>
  );
}
