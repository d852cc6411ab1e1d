// Permissions in words, changed for owner, group and everybody else.
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";

import { changes, useChange } from "~/api/files";
import type { FileEntry } from "~/api/types";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { octalOf } from "./folder";

const words = strings.files.mode;

export function ModeDialog({ entry, path, onClose }: { entry: FileEntry; path: string; onClose: () => void }) {
  const before = octalOf(entry.mode);
  const [digits, setDigits] = useState(Array.from(before));
  const send = useChange<unknown>();
  const levels: Record<string, string> = entry.kind === "folder" ? words.folder : words.file;
  const labels = [words.owner, words.group(entry.group), words.others];
  return (
    <Dialog opened title={words.title(entry.name)} closeLabel={strings.dialog.close} onClose={onClose}>
      {labels.map((label, at) => {
        const now = before[at] ?? "0";
        const kept = now in levels ? {} : { [now]: words.keep(entry.mode.slice(at * 3, at * 3 + 3)) };
        return (
          <NativeSelect
            key={label}
            mb="sm"
            label={label}
            value={digits[at] ?? "0"}
            data={Object.entries({ ...levels, ...kept }).map(([value, text]) => ({ value, label: text }))}
            onChange={({ currentTarget: { value } }) => setDigits(digits.with(at, value))}
          />
        );
      })}
      {send.error !== null && <ProblemNote error={send.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {strings.files.cancel}
        </Button>
        <Button loading={send.isPending} onClick={() => send.mutate(() => changes.mode(path, digits.join("")), { onSuccess: onClose })}>
          {strings.files.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
