// Details beside the page instead of on a new page. Not modal: the page stays usable; Escape closes the panel, and the
// focus returns to where it was.
import { CloseButton } from "@mantine/core";
import { useEffect, useId, useRef, type ReactNode } from "react";

import classes from "./SidePanel.module.css";

interface SidePanelProps {
  title: ReactNode;
  closeLabel: string;
  onClose: () => void;
  /** Actions on what is shown. */
  actions?: ReactNode;
  children: ReactNode;
}

export function SidePanel({ title, closeLabel, onClose, actions, children }: SidePanelProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (document.querySelector("[aria-modal='true']") === null) onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <aside className={classes["panel"]} aria-labelledby={titleId}>
      <header className={classes["head"]}>
        <h2 id={titleId} ref={heading} tabIndex={-1} className={classes["title"]}>
          {title}
        </h2>
        <CloseButton aria-label={closeLabel} onClick={onClose} />
      </header>
      {actions !== undefined && <div className={classes["actions"]}>{actions}</div>}
      {/* Scrolling regions must be reachable by keyboard. */}
      <div className={classes["body"]} tabIndex={0} role="region" aria-labelledby={titleId}>
        {children}
      </div>
    </aside>
  );
}
