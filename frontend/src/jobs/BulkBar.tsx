// Actions on all selected jobs; a disabled one says why.
import { Button } from "@mantine/core";
import { useState } from "react";

import type { JobAction } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import type { Selection } from "~/ui/table/useSelection";
import { ActionDialog } from "./ActionDialog";
import classes from "./BulkBar.module.css";
import { ACTIONS, applies, type Target } from "./actions";

const words = strings.jobs;

interface BulkBarProps {
  selection: Selection<Target>;
  /** The selected jobs as they are now. */
  targets: readonly Target[];
}

export function BulkBar({ selection, targets }: BulkBarProps) {
  const [asking, setAsking] = useState<JobAction | null>(null);
  return (
    <section className={classes["bar"]} aria-label={words.select.bar}>
      <strong role="status">{words.select.count(targets.length)}</strong>
      <div className={classes["actions"]}>
        {ACTIONS.map((action) => {
          const refused = targets.some((target) => applies(action, target)) ? undefined : words.actions.notNow[action];
          return (
            <Button key={action} size="xs" variant="default" disabled={refused !== undefined} title={refused} onClick={() => setAsking(action)}>
              {words.actions[action]}
            </Button>
          );
        })}
      </div>
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {words.select.clear}
      </Button>
      {asking !== null && (
        <ActionDialog
          action={asking}
          targets={targets}
          onClose={(done) => {
            setAsking(null);
            if (done) selection.clear();
          }}
        />
      )}
    </section>
  );
}
