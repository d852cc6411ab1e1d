// How far form and script agree: which side cannot follow and why, and what only the script has.
import { Button } from "@mantine/core";

import { strings } from "~/strings/en";
import classes from "./ComposeForm.module.css";
import type { Composer } from "./useComposer";

const words = strings.compose;

export function SyncNote({ composer }: { composer: Composer }) {
  const { stuck, kept } = composer;
  return (
    <div role="status">
      {stuck !== null && (
        <div className={classes["note"]} data-tone="wait">
          <p>
            <strong>{stuck.side === "form" ? words.stuckForm : words.stuckScript}</strong> {stuck.message}
          </p>
          <p className="quiet">{stuck.side === "form" ? words.stuckFormAdvice : words.stuckScriptAdvice}</p>
          {stuck.side === "form" && (
            <Button size="xs" variant="default" mt="xs" onClick={() => composer.begin({ form: composer.form })}>
              {words.useForm}
            </Button>
          )}
        </div>
      )}
      {stuck === null && kept.length > 0 && (
        <div className={classes["note"]}>
          <p>{words.kept(kept.length)}</p>
          <ul className={`${classes["kept"]} mono`}>
            {kept.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
