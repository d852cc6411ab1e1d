import { Button } from "@mantine/core";

import type { Image } from "~/api/types";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";

const words = strings.images;

interface RemoveDialogProps {
  image: Image;
  busy: boolean;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks before an image is removed from the list, and says what happens to its file. */
export function RemoveDialog({ image, busy, onRemove, onClose }: RemoveDialogProps) {
  return (
    <Dialog opened onClose={onClose} title={words.removeTitle(image.title)} closeLabel={strings.dialog.close}>
      <p style={{ marginTop: 0 }}>{words.removeEntry(image.path)}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.keep}
        </Button>
        <Button color="bad" loading={busy} onClick={onRemove}>
          {words.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
