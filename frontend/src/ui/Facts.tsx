// Details as a list of names and values.
import type { ReactNode } from "react";

import classes from "./Facts.module.css";
import { Time } from "./Time";

export function FactList({ children }: { children: ReactNode }) {
  return <dl className={classes["list"]}>{children}</dl>;
}

/** Absent values are left out. */
export function Fact({ name, value, mono = false }: { name: string; value: ReactNode; mono?: boolean }) {
  if (value === null || value === undefined || value === "") return null;
  return (
    <div className={classes["fact"]}>
      <dt>{name}</dt>
      <dd className={mono ? "mono" : ""}>{value}</dd>
    </div>
  );
}

export function TimeFact({ name, at }: { name: string; at: string | null }) {
  return <Fact name={name} value={at === null ? null : <Time at={at} as="clock" />} />;
}
