// One of the values that a page lists, or any.
import { NativeSelect } from "@mantine/core";

import { strings } from "~/strings/en";

interface FilterSelectProps {
  label: string;
  values: string[];
  chosen: string;
  onChoose: (value: string) => void;
  upper?: boolean;
}

/** Rendered only if there is something to choose, or an unknown value is chosen. */
export function FilterSelect({ label, values, chosen, onChoose, upper = false }: FilterSelectProps) {
  const known = chosen === "" || values.includes(chosen) ? values : [...values, chosen];
  if (known.length < 2 && chosen === "") return null;
  return (
    <NativeSelect
      aria-label={label}
      data={[
        { value: "", label: `${label}: ${strings.any}` },
        ...known.map((value) => ({ value, label: upper ? value.toUpperCase() : value })),
      ]}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  );
}
