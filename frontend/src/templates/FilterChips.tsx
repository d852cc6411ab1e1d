import { strings } from "~/strings/en";
import classes from "./FilterChips.module.css";

interface FilterChipsProps {
  label: string;
  values: string[];
  chosen: string | null;
  onChoose: (value: string | null) => void;
}

/** One value or all; rendered only if there is something to choose. */
export function FilterChips({ label, values, chosen, onChoose }: FilterChipsProps) {
  if (values.length < 2) return null;
  return (
    <div className={classes["chips"]} role="group" aria-label={label}>
      <span className={classes["label"]}>{label}</span>
      {[null, ...values].map((value) => (
        <button
          key={value ?? ""}
          type="button"
          className={classes["chip"]}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {value ?? strings.templates.all}
        </button>
      ))}
    </div>
  );
}
