import type { ReactNode } from "react";

import classes from "./Banner.module.css";

interface BannerProps {
  icon: ReactNode;
  text: string;
  advice: string;
  title?: string;
  /** `news` is said calmly; `warning` wants to be seen. */
  tone?: "warning" | "news";
  /** What can be done about it. */
  actions?: ReactNode;
}

/** A line above every page: what is so, and what follows from it. */
export function Banner({ icon, text, advice, title = "", tone = "warning", actions }: BannerProps) {
  return (
    <div className={classes["banner"]} data-tone={tone}>
      <span className={classes["icon"]}>{icon}</span>
      <span className={classes["text"]} title={title}>
        {text !== "" && <strong>{text}</strong>} {advice}
      </span>
      {actions !== undefined && <span className={classes["actions"]}>{actions}</span>}
    </div>
  );
}
