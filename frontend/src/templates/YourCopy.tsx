// How the user's copy of a template differs from the site's version, and what to do about it.
import { Button } from "@mantine/core";
import { FileDiffIcon } from "@primer/octicons-react";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import type { Template } from "~/api/types";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { Difference } from "./Difference";
import { OpenDialog } from "./OpenDialog";
import classes from "./YourCopy.module.css";
import { useCopyState, useSettle } from "./copies";

const words = strings.copies;
const SHOWN = "difference";

export function YourCopy({ template }: { template: Template }) {
  const [params, setParams] = useSearchParams();
  const [beside, setBeside] = useState(false);
  const state = useCopyState(template.id);
  const settle = useSettle(template.id);
  const file = words.inFolder(template.file);
  if (state !== "outdated" && state !== "changed") {
    return settle.data === undefined ? null : <Done done={settle.data} how={settle.variables} />;
  }
  const newer = state === "outdated";
  const shown = params.has(SHOWN);
  return (
    <section aria-label={words.section} className={`card ${classes["copy"]}`} data-newer={newer}>
      <FileDiffIcon className={classes["icon"] ?? ""} />
      <div className={classes["body"]}>
        {newer && <h2 className={classes["title"]}>{words.newerTitle}</h2>}
        <p>{newer ? words.newerText(file) : words.changedText(file)}</p>
        {settle.data !== undefined && <Done done={settle.data} how={settle.variables} />}
        {settle.error !== null && <ProblemNote error={settle.error} />}
        <div className={classes["actions"]}>
          <Button
            size="xs"
            variant="default"
            aria-expanded={shown}
            onClick={() => setParams(shown ? {} : { [SHOWN]: "1" }, { replace: true })}
          >
            {shown ? words.hide : words.show}
          </Button>
          {newer && (
            <>
              <Button size="xs" variant="default" loading={settle.isPending && settle.variables === "keep"} onClick={() => settle.mutate("keep")}>
                {words.keep}
              </Button>
              <Button size="xs" variant="default" onClick={() => setBeside(true)}>
                {words.beside}
              </Button>
              <Button size="xs" variant="default" loading={settle.isPending && settle.variables === "replace"} onClick={() => settle.mutate("replace")}>
                {words.replace}
              </Button>
            </>
          )}
        </div>
        {shown && <Difference id={template.id} />}
      </div>
      {beside && <OpenDialog template={template} beside onClose={() => setBeside(false)} />}
    </section>
  );
}

function Done({ done, how }: { done: { file: string; backup: string | null }; how: string | undefined }) {
  const backup = done.backup === null ? null : words.inFolder(done.backup);
  return (
    <p role="status" className={classes["done"]}>
      {how === "keep" ? words.kept : words.replaced(words.inFolder(done.file), backup)}
    </p>
  );
}
