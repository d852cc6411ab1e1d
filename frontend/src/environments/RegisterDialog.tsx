// Adds an existing image by its path.
import { Button, Switch, TextInput } from "@mantine/core";
import { useState } from "react";

import { Problem, byField } from "~/api/errors";
import { useAddImage } from "~/api/images";
import { useMe } from "~/api/queries";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { FileField } from "~/ui/files/FileField";

const words = strings.images.register;
const BELOW: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

/** `forAll`: the site has a folder for shared images, which administrators fill. */
export function RegisterDialog({ forAll, onClose }: { forAll: boolean; onClose: () => void }) {
  const admin = useMe().data?.admin ?? false;
  const [path, setPath] = useState("");
  const [title, setTitle] = useState("");
  const [site, setSite] = useState(false);
  const add = useAddImage();
  const problems = add.error instanceof Problem ? byField(add.error.fields) : {};
  const submit = () =>
    add.mutate(
      { path: path.trim(), ...(title.trim() === "" ? {} : { title: title.trim() }), scope: site ? "site" : "user" },
      { onSuccess: onClose },
    );
  return (
    <Dialog opened onClose={onClose} title={words.title} closeLabel={strings.dialog.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="quiet" style={{ marginTop: 0 }}>
          {words.text}
        </p>
        <FileField
          label={words.path}
          description={words.pathHint}
          placeholder="~/images/mine.sif"
          required
          data-autofocus
          error={problems["path"]}
          value={path}
          onChange={setPath}
        />
        <TextInput
          mt="sm"
          label={words.name}
          description={words.nameHint}
          inputWrapperOrder={BELOW}
          maxLength={100}
          autoComplete="off"
          error={problems["title"]}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {admin && forAll && (
          <Switch mt="sm" label={words.forAll} checked={site} onChange={(event) => setSite(event.currentTarget.checked)} />
        )}
        {add.error !== null && Object.keys(problems).length === 0 && <ProblemNote error={add.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={add.isPending} disabled={path.trim() === ""}>
            {words.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
