import type { ReactNode } from "react";

import classes from "./Banner.module.css";

interface BannerProps {
  icon: ReactNode;
  text: string;
  advice: string;
  title?: string;
  /** `news` is calm; `warning` stands out. */
  tone?: "warning" | "news";
  /** The available action. */
  actions?: ReactNode;
}

/** A line above every page: what is the case, and what it means for the user. */
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
