// Radio buttons styled as chips or cards: native inputs underneath, so that keys and screen readers work as usual.
import type { ReactNode } from "react";

import classes from "./Choice.module.css";

interface ChoiceProps {
  name: string;
  value: string;
  checked: boolean;
  onChoose: () => void;
  /** Why it cannot be chosen; null if it can. */
  refused?: string | null;
  look?: "chip" | "card" | "row";
  children: ReactNode;
}

export function Choice({ name, value, checked, onChoose, refused = null, look = "chip", children }: ChoiceProps) {
  return (
    <label
      className={classes["choice"]}
      data-look={look}
      data-checked={checked || undefined}
      data-refused={refused !== null || undefined}
      {...(refused === null ? {} : { title: refused })}
    >
      <input
        type="radio"
        className={classes["input"]}
        name={name}
        value={value}
        checked={checked}
        disabled={refused !== null}
        onChange={onChoose}
      />
      {children}
    </label>
  );
}

/** Choices side by side, as many per line as fit. */
export function Choices({ children }: { children: ReactNode }) {
  return <div className={classes["choices"]}>{children}</div>;
}
