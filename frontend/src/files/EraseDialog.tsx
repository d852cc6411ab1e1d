// Asks before anything is deleted for good.
import { Button } from "@mantine/core";

import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";

const words = strings.files.erase;

interface EraseDialogProps {
  /** Zero: the whole bin. */
  count: number;
  onErase: () => void;
  onClose: () => void;
}

export function EraseDialog({ count, onErase, onClose }: EraseDialogProps) {
  const erase = () => {
    onErase();
    onClose();
  };
  return (
    <Dialog opened title={count === 0 ? words.emptyTitle : words.title(count)} closeLabel={strings.dialog.close} onClose={onClose}>
      <p>{count === 0 ? words.emptyText : words.text}</p>
      <DialogActions>
        <Button variant="default" data-autofocus onClick={onClose}>
          {words.keep}
        </Button>
        <Button color="bad" onClick={erase}>
          {count === 0 ? words.doEmpty : words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
