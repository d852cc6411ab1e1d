// Asks before a maintenance closes partitions: which, from when until when, and what would run into it.
import { Button } from "@mantine/core";

import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { Affected } from "./Affected";
import type { AnnouncementAsked } from "./queries";

const words = strings.admin.announcements;

interface CloseDialogProps {
  asked: AnnouncementAsked;
  saving: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function CloseDialog({ asked, saving, onConfirm, onClose }: CloseDialogProps) {
  const now = useNow(30);
  const { starts_at, ends_at, partitions = [] } = asked;
  return (
    <Dialog opened onClose={onClose} title={words.closeTitle(partitions)} closeLabel={strings.dialog.close}>
      {starts_at != null && ends_at != null && <p style={{ marginTop: 0 }}>{words.closeText(clock(starts_at, now), clock(ends_at, now))}</p>}
      <Affected asked={asked} />
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button loading={saving} onClick={onConfirm}>
          {words.closeConfirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
