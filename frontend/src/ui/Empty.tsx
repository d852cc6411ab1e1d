import type { ReactNode } from "react";

import classes from "./Empty.module.css";

/** Nothing to show: why, and what to do about it. */
export function Empty({ title, children }: { title?: string; children?: ReactNode }) {
  return (
    <div className={classes["empty"]}>
      {title !== undefined && <p className={classes["title"]}>{title}</p>}
      {children}
    </div>
  );
}
