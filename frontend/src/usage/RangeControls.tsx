// A report's days and grouping, kept in the URL. They share a row with what the page adds.
import { NativeSelect, TextInput } from "@mantine/core";

import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Switcher } from "~/ui/Switcher";
import type { By, Range } from "./queries";
import { presetOf, rangeOf, type Preset } from "./range";

const words = strings.usage;
const PRESETS = (Object.keys(words.ranges) as Preset[]).map((value) => ({ value, title: words.ranges[value] }));
const MINUTE_S = 60;

interface RangeControlsProps<B extends By> {
  range: Range;
  by: B;
  choices: readonly B[];
  onChange: (next: Partial<Range & { by: B }>) => void;
}

export function RangeControls<B extends By>({ range, by, choices, onChange }: RangeControlsProps<B>) {
  const now = useNow(MINUTE_S);
  const preset = presetOf(range, now);
  return (
    <>
      <Switcher label={words.range} choices={PRESETS} chosen={preset as Preset} onChoose={(preset) => onChange(rangeOf(preset, now))} />
      {(["from", "to"] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          required
          aria-label={words[end]}
          value={range[end]}
          {...(end === "from" ? { max: range.to } : { min: range.from })}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value !== "") onChange({ [end]: value });
          }}
        />
      ))}
      <NativeSelect
        aria-label={words.by}
        data={choices.map((value) => ({ value, label: `${words.by} ${words.bys[value].toLowerCase()}`.replace("gpu", "GPU") }))}
        value={by}
        onChange={(event) => onChange({ by: event.currentTarget.value as B })}
      />
    </>
  );
}
