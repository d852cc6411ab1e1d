// Asks for the name of a new or renamed file or folder, and keeps what was typed when it is refused.
import { Button, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";

import { useChange } from "~/api/files";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";

const words = strings.files;

interface NameDialogProps {
  title: string;
  submit: string;
  /** The present name. */
  name?: string;
  change: (name: string) => Promise<unknown>;
  onClose: (name: string | null) => void;
}

export function NameDialog({ title, submit, name: before = "", change, onClose }: NameDialogProps) {
  const [name, setName] = useState(before);
  const send = useChange<unknown>();
  const bad = name.includes("/") || name === "." || name === "..";
  const go = (event: SubmitEvent) => {
    event.preventDefault();
    if (name.trim() === "" || bad) return;
    if (name === before) onClose(null);
    else send.mutate(() => change(name), { onSuccess: () => onClose(name) });
  };
  return (
    <Dialog opened title={title} closeLabel={strings.dialog.close} onClose={() => onClose(null)}>
      <form onSubmit={go}>
        <TextInput
          data-autofocus
          label={words.name}
          maxLength={255}
          value={name}
          error={bad ? words.needsName : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {send.error !== null && <ProblemNote error={send.error} />}
        <DialogActions>
          <Button variant="default" onClick={() => onClose(null)}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={send.isPending} disabled={name.trim() === "" || bad}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
