// Says what the form will start, always in view beside the start button, which does not move when an answer arrives.
import { Button } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useRef } from "react";

import { Problem } from "~/api/errors";
import { useSite } from "~/api/queries";
import type { Alternative, Options, Template } from "~/api/types";
import { clock, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import panel from "~/ui/ActPanel.module.css";
import { GpuCells } from "~/ui/GpuCells";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark } from "~/ui/StateMark";
import type { Look } from "~/ui/look";
import { summaryOf } from "~/ui/sessionWords";
import classes from "./SummaryPanel.module.css";
import type { Checked } from "./useCheck";
import type { View } from "./view";

const words = strings.launch;

interface SummaryPanelProps {
  view: View;
  options: Options;
  checked: Checked;
  problems: Record<string, string>;
  warnings: Record<string, string>;
  starting: boolean;
  error: Error | null;
  template: Template | undefined;
  onChoose: (alternative: Alternative) => void;
}

export function SummaryPanel(props: SummaryPanelProps) {
  const { view, options, checked, problems, warnings, starting, error, template, onChoose } = props;
  const startButton = useRef<HTMLButtonElement>(null);
  const down = useSite().data?.slurm.state === "down";
  const count = Object.keys(problems).length;
  const { policy } = options;
  const gpus = view.resources.gpus * view.resources.nodes;
  const summary = checked.pending || checked.check === undefined ? summaryOf(view.resources) : checked.check.summary;
  return (
    <aside className={`card ${panel["panel"]} ${classes["panel"]}`} aria-label={words.summary}>
      <p className={classes["app"]}>
        {view.app?.title}
        {view.environment !== undefined && <span className="quiet"> · {view.environment.title}</span>}
      </p>
      <div className={panel["act"]}>
        <Button ref={startButton} type="submit" fullWidth loading={starting} disabled={down} aria-describedby="start-note">
          {words.start}
        </Button>
        <p id="start-note" className={classes["note"]}>
          {down ? words.slurmDown : words.sessionsLimit(policy.max_sessions, policy.sessions_in_use)}
        </p>
      </div>
      <div className={classes["words"]}>
        <p className={classes["summary"]}>{unbroken(summary)}</p>
        {gpus > 0 && (
          <p className={classes["cells"]}>
            <GpuCells
              cells={Array.from({ length: gpus }, () => ({ kind: "mine" as const }))}
              label={strings.cells.wanted(gpus)}
            />
          </p>
        )}
        <Starts checked={checked} count={count} down={down} />
        {count === 0 && !down && <Estimated checked={checked} />}
        {!down && (
          <Alternatives
            checked={checked}
            onChoose={(alternative) => {
              onChoose(alternative);
              startButton.current?.focus();
            }}
          />
        )}
        {count === 0 && !checked.pending && <Warnings texts={Object.values(warnings)} />}
        {template !== undefined && <p className="quiet small">{words.withTemplate(template.title)}</p>}
      </div>
      {error !== null && !(error instanceof Problem && error.fields.length > 0) && (
        <ProblemNote error={error} title={words.failed} />
      )}
    </aside>
  );
}

/** When it will probably start, and what says so. */
function Estimated({ checked: { check, pending } }: { checked: Checked }) {
  const now = useNow(60);
  if (check?.estimate == null) return null;
  const { wait, ahead_by } = check.estimate;
  const at = (seconds: number) => clock(new Date(now + seconds * 1000).toISOString(), now);
  return (
    <div className={classes["estimate"]} data-pending={pending || undefined}>
      {wait !== null && (
        <>
          <p>{words.probably(at(wait.least_s), at(wait.most_s))}</p>
          <p className="quiet small">{words.waited(wait.least_s < 60 ? null : span(wait.least_s), span(wait.most_s), wait.count)}</p>
        </>
      )}
      {ahead_by !== null && <p className="quiet small">{words.aheadBy(clock(ahead_by, now))}</p>}
    </div>
  );
}

/** What would start now instead. Each is one click, and the focus then waits on Start. */
function Alternatives({ checked, onChoose }: { checked: Checked; onChoose: (alternative: Alternative) => void }) {
  const alternatives = checked.check?.alternatives ?? [];
  if (alternatives.length === 0) return null;
  return (
    <div className={classes["alternatives"]} role="group" aria-label={words.alternatives} data-pending={checked.pending || undefined}>
      <p className="quiet small">{words.alternatives}</p>
      {alternatives.map((alternative) => (
        <Button key={alternative.text} variant="default" size="xs" disabled={checked.pending} onClick={() => onChoose(alternative)}>
          {words.alternative(alternative.text)}
        </Button>
      ))}
    </div>
  );
}

/** Warnings that do not prevent the start. */
function Warnings({ texts }: { texts: string[] }) {
  return texts.map((text) => (
    <p key={text} className={classes["warning"]}>
      <AlertIcon />
      <span>{text}</span>
    </p>
  ));
}

/** Keeps numbers with their units when the line breaks. */
const unbroken = (text: string) => text.replaceAll(/(\d) /g, "$1\u00a0");

const LOOKS: Record<"now" | "later" | "unknown" | "wrong", Pick<Look, "shape" | "tone">> = {
  now: { shape: "full", tone: "good" },
  later: { shape: "quarter", tone: "wait" },
  unknown: { shape: "dotted", tone: "idle" },
  wrong: { shape: "cross", tone: "bad" },
};

/** When it would start. Keeps its last value while the next is loading, so that nothing flickers. */
function Starts({ checked, count, down }: { checked: Checked; count: number; down: boolean }) {
  const { check, pending, error } = checked;
  const [look, text] =
    count > 0
      ? (["wrong", words.fixFirst(count)] as const)
      : check === undefined || down
        ? (["unknown", error === null && !down ? words.checking : words.startsUnknown] as const)
        : ([check.starts, check.starts_text || words.startsUnknown] as const);
  return (
    <p className={classes["starts"]} data-pending={pending || undefined} role="status">
      <StateMark look={LOOKS[look]} />
      <span>{text}</span>
    </p>
  );
}
