// How long: the usual lengths as chips, a point in time, or any number of hours.
import { TextInput } from "@mantine/core";
import { useState } from "react";

import { hoursOf, span, toLocalInput } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice, Choices } from "~/ui/Choice";
import { Field } from "~/ui/Section";
import classes from "./TimeField.module.css";
import type { PartProps } from "./part";
import { timeRefused, type View } from "./view";

const words = strings.launch;
const HOUR = 3600;
const USUAL = [HOUR, 4 * HOUR, 8 * HOUR];

export function TimeField({ draft, view, problems, change }: PartProps) {
  const now = useNow(60);
  const chosen = view.resources.walltime_s;
  const choices = timeChoices(view);
  const [other, setOther] = useState(draft.time?.kind === "for" && !choices.includes(draft.time.seconds));
  const until = draft.time?.kind === "until";
  const refusals = choices.map((seconds) => timeRefused(seconds, view)).filter((refused) => refused !== null);
  const limit = Number.isFinite(view.maxWalltime) ? words.timeLimit(span(view.maxWalltime), view.partition?.name ?? "") : undefined;
  return (
    <Field label={words.time} hint={limit} problem={problems["walltime_s"] ?? tooLong(draft, view)}>
      <Choices>
        {choices.map((seconds) => (
          <Choice
            key={seconds}
            name="time"
            value={String(seconds)}
            checked={!until && !other && chosen === seconds}
            refused={timeRefused(seconds, view)}
            onChoose={() => {
              setOther(false);
              change({ time: { kind: "for", seconds } });
            }}
          >
            {span(seconds)}
          </Choice>
        ))}
        <Choice
          name="time"
          value="until"
          checked={until}
          onChoose={() => {
            setOther(false);
            change({ time: { kind: "until", at: toLocalInput(new Date(Date.now() + chosen * 1000)) } });
          }}
        >
          {words.untilChoice}
        </Choice>
        <Choice
          name="time"
          value="other"
          checked={other && !until}
          onChoose={() => {
            setOther(true);
            change({ time: { kind: "for", seconds: chosen } });
          }}
        >
          {words.customChoice}
        </Choice>
        {draft.time?.kind === "until" && (
          <TextInput
            type="datetime-local"
            aria-label={words.until}
            value={draft.time.at}
            min={toLocalInput(new Date(now))}
            onChange={(event) => change({ time: { kind: "until", at: event.currentTarget.value } })}
          />
        )}
        {other && !until && <Hours seconds={chosen} onChange={(seconds) => change({ time: { kind: "for", seconds } })} />}
      </Choices>
      {refusals.length > 0 && <span className="hidden">{refusals.join(" ")}</span>}
    </Field>
  );
}

function Hours({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label className={classes["hours"]}>
      {words.custom}
      <TextInput
        type="number"
        min={0}
        step={0.5}
        w={88}
        value={typed ?? hoursOf(seconds)}
        onBlur={() => setTyped(null)}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          const hours = Number(event.currentTarget.value);
          if (event.currentTarget.value !== "" && Number.isFinite(hours)) onChange(Math.max(0, Math.round(hours * 60) * 60));
        }}
      />
    </label>
  );
}

/** The usual lengths, plus the longest and the default one if they are not among them. */
function timeChoices(view: View): number[] {
  const short = view.maxWalltime < (USUAL.at(-1) ?? 0) ? [view.maxWalltime] : [];
  return [...new Set([...USUAL, ...short])].sort((a, b) => a - b);
}

function tooLong(draft: PartProps["draft"], view: View): string | undefined {
  return draft.time === null ? undefined : (timeRefused(view.resources.walltime_s, view) ?? undefined);
}
