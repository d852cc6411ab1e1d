// Details as a list of names and values.
import type { ReactNode } from "react";

import classes from "./Facts.module.css";
import { Time } from "./Time";

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes["list"]}>{children}</dl>;
}

/** A name and its value; nothing if the value is absent. */
export function Fact({ name, children, mono = false }: { name: string; children: ReactNode; mono?: boolean }) {
  if (children === null || children === undefined || children === "" || children === false) return null;
  return (
    <div className={classes["fact"]}>
      <dt>{name}</dt>
      <dd className={mono ? "mono" : ""}>{children}</dd>
    </div>
  );
}

export function TimeFact({ name, at }: { name: string; at: string | null }) {
  return <Fact name={name}>{at !== null && <Time at={at} as="clock" />}</Fact>;
}
