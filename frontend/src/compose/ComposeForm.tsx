// Form and script side by side, Slurm's check of them, and the submission.
import { Skeleton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Suspense, lazy, useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router-dom";

import { Problem, byField } from "~/api/errors";
import { type JobDetail } from "~/api/jobTypes";
import { useCheckJob, useSubmitJob } from "~/api/jobs";
import type { Options } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./ComposeForm.module.css";
import { HowMuchPart } from "./HowMuchPart";
import { MorePart } from "./MorePart";
import { StartFrom } from "./StartFrom";
import { SubmitPanel } from "./SubmitPanel";
import { SyncNote } from "./SyncNote";
import { ViewSwitch, type View } from "./ViewSwitch";
import { WhatPart } from "./WhatPart";
import { completed, type Beginning } from "./beginning";
import { forgetDraft } from "./draft";
import { useComposer } from "./useComposer";

const ScriptEditor = lazy(() => import("~/ui/script/ScriptEditor"));
const words = strings.compose;

interface ComposeFormProps {
  options: Options;
  beginning: Beginning;
  /** Where the browser keeps the draft. */
  draftKey: string;
}

export function ComposeForm({ options, beginning, draftKey }: ComposeFormProps) {
  const navigate = useNavigate();
  const [begun, setBegun] = useState(beginning);
  const composer = useComposer(completed(beginning.draft, options), draftKey);
  const [view, setView] = useState<View>("form");
  const check = useCheckJob();
  const submit = useSubmitJob();
  const { form, script } = composer;
  const [checked, setChecked] = useState("");
  const current = checked === script;
  const problems = {
    ...(current && check.data !== undefined ? byField(check.data.problems) : {}),
    ...byField(composer.stuck?.fields ?? []),
    ...(submit.error instanceof Problem ? byField(submit.error.fields) : {}),
  };

  // What was just typed on either side is merged into the script before it is sent.
  const whenSettled = useMutation({ mutationFn: async (then: (script: string) => void) => then(await composer.settled()) });
  const onCheck = () =>
    whenSettled.mutate((settled) => {
      setChecked(settled);
      check.mutate(asked(settled));
    });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    whenSettled.mutate((settled) => submit.mutate(asked(settled), { onSuccess: leave }));
  };
  const asked = (text: string) => ({ script: text, workdir: composer.from });
  const leave = (job: JobDetail) => {
    forgetDraft(draftKey);
    navigate(pages.job(job.id));
  };
  const edit: typeof composer.changeForm = (change) => {
    submit.reset();
    composer.changeForm(change);
  };
  const part = { form, options, problems, change: edit };
  const following = composer.stuck?.side !== "form";
  return (
    <form onSubmit={onSubmit} noValidate>
      <StartFrom
        begun={begun}
        onBegin={(next) => {
          submit.reset();
          setBegun(next);
          composer.begin(completed(next.draft, options));
        }}
      />
      <ViewSwitch view={view} onChange={setView} />
      <div className={classes["sides"]} data-view={view}>
        <fieldset className={classes["form"]} disabled={!following} aria-label={words.formLabel} data-stuck={!following || undefined}>
          <WhatPart {...part} />
          <HowMuchPart {...part} />
          <MorePart {...part} />
        </fieldset>
        <div className={classes["script"]}>
          <SubmitPanel
            form={form}
            from={composer.from}
            empty={form.command.trim() === "" || (script.trim() === "" && composer.pending !== "script")}
            check={current ? check.data : undefined}
            checking={check.isPending || (whenSettled.isPending && !submit.isPending)}
            changed={check.data !== undefined && !current}
            checkError={current ? check.error : null}
            submitting={submit.isPending}
            submitError={submit.error ?? whenSettled.error}
            onCheck={onCheck}
          />
          <SyncNote composer={composer} />
          <Suspense fallback={<Skeleton height={320} />}>
            <ScriptEditor
              value={script}
              label={words.scriptLabel}
              onChange={(text) => {
                submit.reset();
                composer.changeScript(text);
              }}
            />
          </Suspense>
        </div>
      </div>
    </form>
  );
}
