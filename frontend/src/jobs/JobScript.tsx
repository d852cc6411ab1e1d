// The script as it was submitted; the editor loads when it is first opened.
import { Button, Skeleton } from "@mantine/core";
import { CopyIcon } from "@primer/octicons-react";
import { Suspense, lazy, useState } from "react";

import type { JobDetail } from "~/api/jobTypes";
import { copyText } from "~/lib/clipboard";
import { strings } from "~/strings/en";
import { DetailPanel } from "~/ui/Detail";

const ScriptEditor = lazy(() => import("~/ui/script/ScriptEditor"));
const words = strings.jobs.job;

export function JobScript({ job: { script, script_missing } }: { job: JobDetail }) {
  const [copied, setCopied] = useState(false);
  return (
    <DetailPanel
      id="job-script"
      title={words.script}
      beside={
        script !== null && (
          <Button size="xs" variant="default" leftSection={<CopyIcon />} onClick={() => void copyText(script).then(() => setCopied(true))}>
            {copied ? strings.output.copied : words.copyScript}
          </Button>
        )
      }
    >
      {script === null ? (
        <p className="quiet">{script_missing}</p>
      ) : (
        <Suspense fallback={<Skeleton height={160} />}>
          <ScriptEditor value={script} label={words.script} />
        </Suspense>
      )}
    </DetailPanel>
  );
}
