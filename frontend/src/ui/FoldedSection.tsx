// A titled part of a form, collapsed until it is needed.
import { ChevronRightIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";

import classes from "./FoldedSection.module.css";

interface FoldedSectionProps {
  title: string;
  /** Its summary, shown while it is collapsed. */
  lists?: string;
  /** Among the panels of a page about one thing, whose titles are smaller than a form's. */
  small?: boolean;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

export function FoldedSection({ title, lists, small = false, open, onToggle, children }: FoldedSectionProps) {
  return (
    <section className="card">
      <h2 className={small ? "section-title" : classes["title"]}>
        <button type="button" className={classes["toggle"]} aria-expanded={open} onClick={onToggle}>
          <ChevronRightIcon className={classes["chevron"] ?? ""} />
          {title}
          {!open && lists !== undefined && <span className={classes["lists"]}>{lists}</span>}
        </button>
      </h2>
      {open && children}
    </section>
  );
}
