// A problem in words: what happened, what to do, and the request id for support.
import { Button } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";

import { fromThrown } from "~/api/errors";
import { strings } from "~/strings/en";
import classes from "./ProblemNote.module.css";
import { Told } from "./Told";

interface ProblemNoteProps {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

export function ProblemNote({ error, title, onRetry }: ProblemNoteProps) {
  const problem = fromThrown(error);
  return (
    <div className={classes["note"]} role="alert">
      <AlertIcon className={classes["icon"] ?? ""} />
      <div>
        <p className={classes["message"]}>
          {title !== undefined && <strong>{title}. </strong>}
          <Told text={problem.message} />
        </p>
        {problem.hint !== null && (
          <p className={classes["hint"]}>
            <Told text={problem.hint} />
          </p>
        )}
        {problem.requestId !== null && <p className={classes["request"]}>{strings.errors.request(problem.requestId)}</p>}
        {onRetry !== undefined && (
          <Button variant="default" size="xs" mt="xs" onClick={onRetry}>
            {strings.errors.retry}
          </Button>
        )}
      </div>
    </div>
  );
}
