import { Button } from "@mantine/core";

import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";

interface StopDialogProps {
  session: Session;
  opened: boolean;
  busy: boolean;
  onStop: () => void;
  onClose: () => void;
}

/** Asks before a running session is stopped, and names what is lost. */
export function StopDialog({ session, opened, busy, onStop, onClose }: StopDialogProps) {
  const { gpus, nodes, gpu_type } = session.resources;
  return (
    <Dialog opened={opened} onClose={onClose} title={strings.stop.title(session.name)} closeLabel={strings.dialog.close}>
      <p style={{ marginTop: 0 }}>{strings.stop.lost(session.app_title, session.node)}</p>
      <p className="quiet">
        {strings.stop.kept} {gpus > 0 && strings.stop.gpus(strings.resources.gpus(gpus * nodes, gpu_type))}
      </p>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.stop.keep}
        </Button>
        <Button color="bad" loading={busy} onClick={onStop}>
          {strings.stop.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
