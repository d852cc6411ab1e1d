// Asked once for all names that are taken.
import { Button } from "@mantine/core";

import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { nameOf } from "./folder";

const words = strings.files.conflict;

interface ConflictDialogProps {
  paths: readonly string[];
  /** Null: these are skipped. */
  onSettle: (conflict: "rename" | "replace" | null) => void;
}

export function ConflictDialog({ paths, onSettle }: ConflictDialogProps) {
  return (
    <Dialog opened title={words.title} closeLabel={strings.dialog.close} onClose={() => onSettle(null)}>
      <p>{words.text(paths.length)}</p>
      <p className="mono">{paths.map(nameOf).join(", ")}</p>
      <p className="quiet small">{words.replaceNote}</p>
      <DialogActions>
        <Button variant="default" onClick={() => onSettle(null)}>
          {words.skip}
        </Button>
        <Button variant="default" onClick={() => onSettle("replace")}>
          {words.replace}
        </Button>
        <Button data-autofocus onClick={() => onSettle("rename")}>
          {words.keepBoth}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
