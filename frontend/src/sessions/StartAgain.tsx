import { Button } from "@mantine/core";

import { Problem, fromThrown } from "~/api/errors";
import type { Session } from "~/api/types";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";
import classes from "./StartAgain.module.css";
import { useRestart } from "./useRestart";

/** Starts an ended session again, as it was or edited in the form first. */
export function StartAgain({ session, compact = false }: { session: Session; compact?: boolean }) {
  const { moreMib, form, start, starting, error } = useRestart(session);
  const label = moreMib === null ? strings.sessions.startAgain : strings.sessions.startAgainWith(gb(moreMib));
  return (
    <div className={classes["again"]} data-compact={compact || undefined}>
      <Button variant={compact ? "subtle" : "filled"} size={compact ? "xs" : "sm"} loading={starting} onClick={start}>
        {label}
      </Button>
      <PageButton
        to={form}
        {...(compact ? { variant: "subtle", size: "xs", px: 8, "aria-label": `${strings.apps.edit}: ${session.name}` } : { variant: "default" })}
      >
        {compact ? strings.apps.editShort : strings.apps.edit}
      </PageButton>
      {error !== null && !(error instanceof Problem && error.kind === "refused") && (
        <span role="alert" className={classes["failed"]}>
          {strings.apps.restartFailed}: {fromThrown(error).message}
        </span>
      )}
    </div>
  );
}
