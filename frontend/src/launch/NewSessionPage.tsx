// One page, not a wizard: what, how much, and beside it a summary in words.
import { Skeleton } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router-dom";

import { Problem, byField } from "~/api/errors";
import { useOptions, useTemplates } from "~/api/queries";
import { EMPTY, askOf, basisOf, writeDraft, type Draft } from "~/api/sessionDraft";
import type { App, Options, Resources, Session } from "~/api/types";
import { useLabFiles } from "~/api/useLabFiles";
import { useStartSession } from "~/api/writes";
import { useNow } from "~/lib/useNow";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { useRecentFolders } from "~/ui/files/ownFolders";
import { AdvancedSection } from "./AdvancedSection";
import { HowMuchSection } from "./HowMuchSection";
import classes from "./NewSessionPage.module.css";
import { PresetsBar } from "./PresetsBar";
import { SummaryPanel } from "./SummaryPanel";
import { WhatSection } from "./WhatSection";
import { useCheck } from "./useCheck";
import { useDraft } from "./useDraft";
import { timeProblem, viewOf } from "./view";

export default function NewSessionPage() {
  const { data: options, error, refetch } = useOptions();
  return (
    <Page title={strings.launch.title}>
      {options !== undefined ? (
        <LaunchForm options={options} />
      ) : error !== null ? (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      ) : (
        <FormSkeleton />
      )}
    </Page>
  );
}

function LaunchForm({ options }: { options: Options }) {
  const navigate = useNavigate();
  const start = useStartSession();
  const [draft, change] = useDraft(start.isPending || start.isSuccess);
  const [tried, setTried] = useState(false);
  const [, remember] = useRecentFolders();
  const now = useNow(60);
  const view = viewOf(draft, options, now);
  useLabFiles(view.app, view.environment?.name);
  const asked = askOf(draft, options, now);
  const checked = useCheck(asked);
  const template = useTemplates().data?.items.find(({ id }) => id === draft.template);

  const refused = start.error instanceof Problem ? start.error.fields : [];
  const untimed = timeProblem(draft, now, tried);
  const problems = {
    ...byField(checked.problems),
    ...byField(refused),
    ...(untimed === null ? {} : { walltime_s: untimed }),
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (timeProblem(draft, now, true) !== null || (!checked.pending && Object.keys(problems).length > 0)) {
      focusFirstProblem();
      return;
    }
    start.mutate({ ...asked, ...basisOf(draft) }, {
      onSuccess: (session) => {
        foldersOf(session, view.app).forEach(remember);
        const { template, version, open } = draft;
        const query = writeDraft({ ...EMPTY, template, version, open });
        navigate(pages.session(session.id, query), { state: { justStarted: true } });
      },
    });
  };

  const edit: typeof change = (next) => {
    if (start.error !== null) start.reset();
    change(next);
  };
  const part = { draft, options, view, problems, warnings: byField(checked.check?.warnings ?? []), change: edit };
  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <div className={classes["fields"]}>
        <PresetsBar draft={draft} options={options} asked={asked} onChoose={edit} />
        <WhatSection {...part} />
        <HowMuchSection {...part} />
        <AdvancedSection {...part} />
      </div>
      <SummaryPanel
        view={view}
        options={options}
        checked={checked}
        problems={problems}
        warnings={part.warnings}
        starting={start.isPending}
        error={start.error}
        template={template}
        onChoose={(alternative) => edit(changeTo(alternative.resources, checked.check?.resources))}
      />
    </form>
  );
}

/** What makes of the form's request the alternative; the rest stays as it was chosen. */
function changeTo(wanted: Resources, checked: Resources | null | undefined): Partial<Draft> {
  const { partition, gpus, gpu_type: gpuType, shards, mps_percent: mps, walltime_s: seconds } = wanted;
  const time = { kind: "for", seconds } as const;
  const part = shards + mps > 0 ? { gpus: null, cpus: null, memoryMib: null } : { gpus };
  return { partition, ...part, shards: shards || null, mps: mps || null, gpuType, ...(seconds === checked?.walltime_s ? {} : { time }) };
}

function foldersOf(session: Session, app: App | undefined): string[] {
  const asked = app?.options.filter(({ kind }) => kind === "folder") ?? [];
  return asked.map(({ name }) => session.options[name]).filter((folder) => typeof folder === "string");
}

/** Runs after the problems have been rendered. */
function focusFirstProblem(): void {
  requestAnimationFrame(() => {
    const field = document.querySelector("[data-problem]");
    const control = field?.querySelector<HTMLElement>("[aria-invalid='true']") ?? field?.querySelector<HTMLElement>("input, select");
    control?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
  });
}

function FormSkeleton() {
  return (
    <div className={classes["form"]} aria-busy="true">
      <div className={classes["fields"]}>
        <Skeleton height={190} />
        <Skeleton height={360} />
      </div>
      <Skeleton height={220} />
    </div>
  );
}
