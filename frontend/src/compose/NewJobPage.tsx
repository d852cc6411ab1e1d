// New job: a form beside the script that it makes. Starts from what the URL names, else from the draft kept in this
// browser, else empty.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";

import { jobReads, readTextFile } from "~/api/jobs";
import { useMe, useOptions, useOwnKey } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { ComposeForm } from "./ComposeForm";
import { NOTHING, ofFile, ofJob, ofNotebook, ofPreset, ofSubmission, type Beginning } from "./beginning";
import { DRAFT, storedDraft } from "./draft";

const words = strings.compose;

export default function NewJobPage() {
  const options = useOptions();
  const me = useMe();
  const draftKey = useOwnKey(DRAFT);
  const begin = useBeginning(draftKey);
  const error = begin.error ?? options.error ?? me.error;
  const retry = () => {
    void me.refetch();
    void options.refetch();
    begin.retry();
  };
  return (
    <Page title={words.title}>
      {error !== null ? (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={retry} />
      ) : options.data === undefined || begin.beginning === null || draftKey === null ? (
        <div aria-busy="true">
          <Skeleton height={48} mb="md" />
          <Skeleton height={420} />
        </div>
      ) : (
        <ComposeForm options={options.data} beginning={begin.beginning} draftKey={draftKey} />
      )}
    </Page>
  );
}

/** The URL is read once and then cleared: reloading the page must not undo later edits. */
function useBeginning(draftKey: string | null): { beginning: Beginning | null; error: Error | null; retry: () => void } {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [{ from, preset, submission, script, notebook, environment, gpus }] = useState({
    from: params.get("from"),
    preset: params.get("preset"),
    submission: params.get("submission"),
    script: params.get("script"),
    notebook: params.get("notebook"),
    environment: params.get("environment"),
    gpus: Number(params.get("gpus")) || 0,
  });
  const again = useQuery({ ...jobReads.again(from ?? ""), enabled: from !== null });
  const unsent = useQuery({ ...jobReads.submissionAgain(submission ?? ""), enabled: submission !== null });
  const file = useQuery({ queryKey: ["job-script", script], queryFn: () => readTextFile(script ?? ""), enabled: script !== null, gcTime: 0, retry: false });
  const presets = useQuery({ ...jobReads.presets, enabled: preset !== null });
  const [beginning, setBeginning] = useState<Beginning | null>(null);
  const named = from !== null || preset !== null || submission !== null || script !== null;
  if (beginning === null && !named && draftKey !== null) setBeginning(kept(draftKey));
  // Either may already be cached, whether this page requests it or not.
  if (beginning === null && from !== null && again.data !== undefined) setBeginning(ofJob(from, again.data));
  if (beginning === null && submission !== null && unsent.data !== undefined) setBeginning(ofSubmission(unsent.data));
  if (beginning === null && script !== null && file.data !== undefined) setBeginning(ofFile(script, file.data.text));
  if (beginning === null && preset !== null && presets.data !== undefined && draftKey !== null) {
    const chosenPreset = presets.data.find(({ name }) => name === preset);
    setBeginning(chosenPreset === undefined ? kept(draftKey) : notebook === null ? ofPreset(chosenPreset) : ofNotebook(chosenPreset, { path: notebook, environment, gpus }));
  }
  const begun = beginning !== null && named;
  useEffect(() => {
    if (begun) navigate(pages.newJob(), { replace: true });
  }, [begun, navigate]);
  return {
    beginning,
    error: again.error ?? unsent.error ?? file.error ?? presets.error,
    retry: () => void (from !== null ? again : submission !== null ? unsent : script !== null ? file : presets).refetch(),
  };
}

function kept(draftKey: string): Beginning {
  return { ...NOTHING, draft: storedDraft(draftKey) ?? NOTHING.draft };
}
