// What stands in the cells of several tables, and above them.
import type { ReactNode } from "react";

import { StateMark, StateWord } from "~/ui/StateMark";
import type { Look } from "~/ui/look";
import classes from "./DataTable.module.css";

/** A second line below the value. */
export function Beneath({ children, title, mono = false }: { children: ReactNode; title?: string; mono?: boolean }) {
  return (
    <span className={`${classes["beneath"]} ${mono ? "mono" : ""}`} title={title}>
      {children}
    </span>
  );
}

/** Opens the row's details. */
export function OpenButton({ label, onOpen, children }: { label?: string; onOpen: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes["open"]} data-control="link" aria-label={label} onClick={onOpen}>
      <bdi>{children}</bdi>
    </button>
  );
}

export function LookCell({ look, title }: { look: Look; title?: string | null }) {
  return (
    <span className={classes["look"]} title={title ?? ""}>
      <StateMark look={look} />
      <StateWord look={look} />
    </span>
  );
}

interface BulkActionsProps {
  label: string;
  count: string;
  /** What the last action did. */
  done?: string;
  children: ReactNode;
}

/** The actions on all selected rows, above the table. */
export function BulkActions({ label, count, done = "", children }: BulkActionsProps) {
  return (
    <div className={classes["bulk"]} role="group" aria-label={label}>
      <span>{count}</span>
      {children}
      <span role="status">{done}</span>
    </div>
  );
}
