// How much of something is in use: a name, a bar, the numbers in words.
import type { ReactNode } from "react";

import classes from "./UseBar.module.css";

interface UseBarProps {
  name: ReactNode;
  /** 0–1. */
  part: number;
  text: ReactNode;
  title?: string | undefined;
}

export function UseBars({ children }: { children: ReactNode }) {
  return <div className={classes["bars"]}>{children}</div>;
}

export function UseBar({ name, part, text, title }: UseBarProps) {
  return (
    <div className={classes["row"]} title={title}>
      <span className={classes["name"]}>{name}</span>
      <Track part={part} />
      <span className={classes["text"]}>{text}</span>
    </div>
  );
}

/** Decoration: the numbers beside it say the same. */
function Track({ part }: { part: number }) {
  const width = `${Math.round(Math.min(1, Math.max(0, part)) * 100)}%`;
  return (
    <span className={classes["track"]} aria-hidden="true">
      <span style={{ width }} data-high={part > 0.9 || undefined} />
    </span>
  );
}
