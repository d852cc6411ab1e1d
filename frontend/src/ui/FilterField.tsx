// The field that narrows what a page lists; "/" goes to it.
import { TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";

import classes from "./FilterField.module.css";

interface FilterFieldProps {
  /** What it says while empty, and its name. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Where its width is not the usual one. */
  className?: string | undefined;
  maxLength?: number;
}

export function FilterField({ label, value, onChange, className = classes["field"], maxLength }: FilterFieldProps) {
  return (
    <TextInput
      data-filter
      type="search"
      className={className ?? ""}
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon />}
      maxLength={maxLength}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
