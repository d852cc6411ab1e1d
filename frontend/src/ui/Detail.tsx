// The parts of a page about one thing, a session or a job: its name with its state, a wide column beside a narrow one,
// panels; and what it shows while it loads, cannot be loaded, or does not exist.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";

import { Problem } from "~/api/errors";
import { strings } from "~/strings/en";
import classes from "./Detail.module.css";
import { Empty } from "./Empty";
import { PageButton } from "./LinkButton";
import { Page } from "./Page";
import { ProblemNote } from "./ProblemNote";

export function DetailTitle({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className={classes["title"]}>
      {name}
      <span className={classes["state"]} role="status">
        {children}
      </span>
    </span>
  );
}

export function DetailColumns({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <div className={classes["columns"]}>
      <div className={classes["main"]}>{children}</div>
      {side}
    </div>
  );
}

/** A card under its own heading; `id` is the heading's, `beside` its actions. */
export function DetailPanel({ id, title, beside, children }: { id: string; title: string; beside?: ReactNode; children: ReactNode }) {
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby={id}>
      <div className={classes["head"]}>
        <h2 className="section-title" id={id}>
          {title}
        </h2>
        {beside}
      </div>
      {children}
    </section>
  );
}

interface DetailAwayProps {
  error: Error | null;
  onRetry: () => void;
  /** The heading of the pages that list such things. */
  title: string;
  missing: { title: string; text: string; back: string; to: string };
}

/** Shown instead of the thing while it loads, after a failure, or if it does not exist. */
export function DetailAway({ error, onRetry, title, missing }: DetailAwayProps) {
  if (error instanceof Problem && error.kind === "missing")
    return (
      <Page title={missing.title}>
        <Empty>
          <p>{missing.text}</p>
          <PageButton to={missing.to} variant="default" mt="md">
            {missing.back}
          </PageButton>
        </Empty>
      </Page>
    );
  return (
    <Page title={title}>
      {error !== null ? (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={onRetry} />
      ) : (
        <div className={classes["columns"]} aria-busy="true">
          <Skeleton height={260} />
          <Skeleton height={260} />
        </div>
      )}
    </Page>
  );
}
