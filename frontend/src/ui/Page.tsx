// The frame of every page: one heading, its actions, a lead, the content; and the page's title.
import { useEffect, type ReactNode } from "react";

import { useSite } from "~/api/queries";
import { strings } from "~/strings/en";
import classes from "./Page.module.css";

interface PageProps {
  title: ReactNode;
  /** For the browser tab, if `title` is not plain text. */
  tab?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, tab, lead, actions, children }: PageProps) {
  const site = useSite().data?.name ?? strings.siteFallback;
  const name = tab ?? (typeof title === "string" ? title : null);
  useEffect(() => {
    document.title = strings.title(name, site);
  }, [name, site]);
  return (
    <div className={classes["page"]}>
      <header className={classes["head"]}>
        <div className={classes["titles"]}>
          <h1 className={classes["title"]}>{title}</h1>
          {lead !== undefined && <p className={classes["lead"]}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={classes["actions"]}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
