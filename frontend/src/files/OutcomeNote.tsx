// What the last change did, with its undo, and the question about taken names.
import { Button } from "@mantine/core";

import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { ConflictDialog } from "./ConflictDialog";
import classes from "./Files.module.css";
import { nameOf } from "./folder";
import type { Acts } from "./useActs";

const words = strings.files;

export function OutcomeNote({ acts: { outcome, problem, clash, settle, dismiss } }: { acts: Acts }) {
  return (
    <>
      <div role="status">
        {outcome !== null && (
          <div className={`card ${classes["outcome"]}`}>
            <span>{outcome.text}</span>
            {outcome.failed.length > 0 && (
              <ul>
                {outcome.failed.map(({ path, message }) => (
                  <li key={path}>
                    <span className="mono">{nameOf(path)}</span>: {message}
                  </li>
                ))}
              </ul>
            )}
            {outcome.undo !== null && (
              <Button size="xs" variant="default" onClick={outcome.undo}>
                {words.undo}
              </Button>
            )}
            <Button size="xs" variant="subtle" onClick={dismiss}>
              {words.dismiss}
            </Button>
          </div>
        )}
      </div>
      <div className={classes["problem"]}>{problem !== null && <ProblemNote error={problem} />}</div>
      {clash !== null && <ConflictDialog paths={clash.paths} onSettle={settle} />}
    </>
  );
}
