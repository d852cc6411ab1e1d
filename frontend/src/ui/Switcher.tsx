// A few choices side by side, one of them active.
import classes from "./Switcher.module.css";

interface SwitcherProps<T extends string> {
  label: string;
  choices: readonly { value: T; title: string }[];
  chosen: T;
  onChoose: (value: T) => void;
}

export function Switcher<T extends string>({ label, choices, chosen, onChoose }: SwitcherProps<T>) {
  return (
    <div className={classes["switcher"]} role="group" aria-label={label}>
      {choices.map(({ value, title }) => (
        <button key={value} type="button" className={classes["choice"]} aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {title}
        </button>
      ))}
    </div>
  );
}
