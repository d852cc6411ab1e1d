import { Button } from "@mantine/core";

import { Problem, fromThrown } from "~/api/errors";
import type { NextStart, Session } from "~/api/types";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";
import classes from "./StartAgain.module.css";
import { useRestart } from "./useRestart";

const words = strings.sessions;

/** What to do after an end: first what does not fail in the same way, then the start as it was, or the form. */
export function StartAgain({ session, compact = false }: { session: Session; compact?: boolean }) {
  const { next, form, start, starting, error } = useRestart(session);
  const first = next.kind === "log" || next.kind === "edit" ? "subtle" : "filled";
  const begin = (
    <Button
      key="start"
      variant={compact ? "subtle" : first === "filled" ? "filled" : "default"}
      size={compact ? "xs" : "sm"}
      loading={starting}
      onClick={start}
    >
      {labelOf(next)}
    </Button>
  );
  const edit = (
    <PageButton
      key="edit"
      to={form}
      {...(compact
        ? { variant: "subtle", size: "xs", px: 8, "aria-label": `${strings.apps.edit}: ${session.name}` }
        : { variant: next.kind === "edit" ? "filled" : "default" })}
    >
      {compact ? strings.apps.editShort : strings.apps.edit}
    </PageButton>
  );
  const log = (
    <PageButton
      key="log"
      to={`${pages.session(session.id)}#log`}
      {...(compact ? { variant: "subtle", size: "xs", px: 8, "aria-label": `${words.readLog}: ${session.name}` } : {})}
    >
      {words.readLog}
    </PageButton>
  );
  return (
    <div className={classes["again"]} data-compact={compact || undefined}>
      {next.kind === "log" ? [log, begin, edit] : next.kind === "edit" ? [edit, begin] : [begin, edit]}
      {error !== null && !(error instanceof Problem && error.kind === "refused") && (
        <span role="alert" className={classes["failed"]}>
          {strings.apps.restartFailed}: {fromThrown(error).message}
        </span>
      )}
    </div>
  );
}

function labelOf(next: NextStart): string {
  if (next.walltime_s != null) return words.startAgainWith(span(next.walltime_s));
  if (next.memory_mib != null) return words.startAgainWith(gb(next.memory_mib));
  if (next.gpu_type != null) return words.startAgainOn(next.gpu_type.toUpperCase());
  if (next.avoid != null) return words.startAgainElsewhere;
  return words.startAgain;
}
