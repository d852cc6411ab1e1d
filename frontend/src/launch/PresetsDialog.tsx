// Saves the form under a name; renames and deletes what was saved.
import { Button, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";

import type { Preset, SessionAsked } from "~/api/types";
import { strings } from "~/strings/en";
import { Dialog } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./PresetsBar.module.css";
import { useDeletePreset, useRenamePreset, useSavePreset } from "./presets";

const words = strings.launch.presets;

interface PresetsDialogProps {
  opened: boolean;
  own: Preset[];
  asked: SessionAsked;
  onClose: () => void;
}

export function PresetsDialog({ opened, own, asked, onClose }: PresetsDialogProps) {
  const [name, setName] = useState("");
  const save = useSavePreset();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation(); // the dialog is inside the form of the session, for React
    if (name.trim() === "") return;
    save.mutate({ name: name.trim(), request: { ...asked, name: null, avoid: null } }, {
      onSuccess: () => {
        setName("");
        onClose();
      },
    });
  };
  const replaces = own.some((preset) => preset.name === name.trim());
  return (
    <Dialog opened={opened} onClose={onClose} title={words.manage} closeLabel={strings.dialog.close}>
      <form className={classes["row"]} onSubmit={submit}>
        <TextInput
          label={words.saveAs}
          description={replaces ? words.replaces : words.saveHint}
          inputWrapperOrder={["label", "input", "description", "error"]}
          maxLength={60}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
          {words.save}
        </Button>
      </form>
      {save.error !== null && <ProblemNote error={save.error} title={words.failed} />}
      {own.map((preset) => (
        <OwnPreset key={preset.id} preset={preset} />
      ))}
    </Dialog>
  );
}

function OwnPreset({ preset }: { preset: Preset }) {
  const [name, setName] = useState(preset.name);
  const rename = useRenamePreset();
  const remove = useDeletePreset();
  const id = preset.id ?? 0;
  const error = rename.error ?? remove.error;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    rename.mutate({ id, name: name.trim() });
  };
  return (
    <form className={classes["row"]} onSubmit={submit}>
      <TextInput
        aria-label={words.nameOf(preset.name)}
        error={error?.message}
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant="default"
        loading={rename.isPending}
        disabled={name.trim() === "" || name.trim() === preset.name}
        aria-label={words.renameOf(preset.name)}
      >
        {words.rename}
      </Button>
      <Button variant="default" loading={remove.isPending} aria-label={words.deleteOf(preset.name)} onClick={() => remove.mutate(id)}>
        {words.delete}
      </Button>
    </form>
  );
}
