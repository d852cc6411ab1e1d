// A whole number with a button on either side. A native number field, so that arrow keys and screen readers work.
import { DashIcon, PlusIcon } from "@primer/octicons-react";
import { useState } from "react";

import classes from "./Stepper.module.css";

interface StepperProps {
  label: string;
  value: number;
  /** Limit of the buttons. A typed value may be higher: the portal then says why it is refused. */
  most: number;
  fewer: string;
  more: string;
  moreRefused?: string | null;
  onChange: (value: number) => void;
  describedBy?: string;
  invalid?: boolean;
}

const HIGHEST = 9999;

export function Stepper({ label, value, most, fewer, more, moreRefused = null, onChange, describedBy, invalid }: StepperProps) {
  // While the user clears and retypes it, the field may hold no number.
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    if (/^\d+$/.test(text)) onChange(Math.min(HIGHEST, Number(text)));
  };
  const full = value >= most;
  return (
    <div className={classes["stepper"]} data-invalid={invalid || undefined}>
      <button type="button" className={classes["button"]} aria-label={fewer} disabled={value <= 0} onClick={() => onChange(value - 1)}>
        <DashIcon />
      </button>
      <input
        className={classes["input"]}
        type="number"
        inputMode="numeric"
        min={0}
        max={HIGHEST}
        step={1}
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        value={typed ?? value}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
      <button
        type="button"
        className={classes["button"]}
        aria-label={more}
        disabled={full}
        title={full ? (moreRefused ?? undefined) : undefined}
        onClick={() => onChange(value + 1)}
      >
        <PlusIcon />
      </button>
    </div>
  );
}
