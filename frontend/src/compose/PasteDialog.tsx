import { Button, Textarea } from "@mantine/core";
import { useState } from "react";

import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import classes from "./ComposeForm.module.css";

const words = strings.compose;

export function PasteDialog({ onUse, onClose }: { onUse: (script: string) => void; onClose: () => void }) {
  const [script, setScript] = useState("");
  return (
    <Dialog opened onClose={onClose} title={words.pasteTitle} closeLabel={strings.dialog.close}>
      <Textarea
        data-autofocus
        className={classes["command"] ?? ""}
        label={words.pasteLabel}
        description={words.replaces}
        rows={12}
        spellCheck={false}
        value={script}
        onChange={(event) => setScript(event.currentTarget.value)}
      />
      <DialogActions>
        <Button disabled={script.trim() === ""} onClick={() => onUse(script)}>
          {words.pasteUse}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
