// The field that filters what a page lists; "/" focuses it.
import { TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";

import classes from "./FilterField.module.css";

interface FilterFieldProps {
  /** Its placeholder and its accessible name. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Overrides its usual width. */
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
