// The time limit: the usual lengths, or any other written as 90m, 4h, 1d12h.
import { TextInput } from "@mantine/core";
import { useState } from "react";

import type { Partition } from "~/api/types";
import { formatDuration, parseDuration } from "~/lib/duration";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Choice, Choices } from "~/ui/Choice";
import { Field } from "~/ui/Section";
import type { PartProps } from "./part";

const words = strings.compose;
const HOUR = 3600;
const USUAL = [HOUR / 2, HOUR, 4 * HOUR, 8 * HOUR, 24 * HOUR];

export function TimeLimit({ form, problems, change, partition }: PartProps & { partition: Partition | undefined }) {
  const most = partition?.max_walltime_s ?? Infinity;
  const [typed, setTyped] = useState<string | null>(null);
  const seconds = typed === null ? form.walltime_s : parseDuration(typed.trim());
  const wrong = typed !== null && typed.trim() !== "" && seconds === null ? words.timeBad : undefined;
  const hint = Number.isFinite(most) && partition !== undefined ? words.timeHint(span(most), partition.name) : undefined;
  return (
    <Field label={words.time} hint={hint} problem={problems["walltime_s"] ?? wrong}>
      <Choices>
        {USUAL.map((length) => (
          <Choice
            key={length}
            name="walltime"
            value={String(length)}
            checked={form.walltime_s === length}
            refused={length > most ? (hint ?? null) : null}
            onChoose={() => {
              setTyped(null);
              change({ walltime_s: length });
            }}
          >
            {span(length)}
          </Choice>
        ))}
        <TextInput
          w={112}
          aria-label={words.timeOther}
          placeholder={words.timeExample}
          error={wrong !== undefined}
          value={typed ?? (form.walltime_s === null || USUAL.includes(form.walltime_s) ? "" : formatDuration(form.walltime_s))}
          onBlur={() => wrong === undefined && setTyped(null)}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            const length = parseDuration(event.currentTarget.value.trim());
            if (length !== null && length > 0) change({ walltime_s: length });
          }}
        />
      </Choices>
    </Field>
  );
}
