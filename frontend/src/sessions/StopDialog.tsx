import { Button, Group, Modal } from "@mantine/core";

import type { Session } from "~/api/types";
import { strings } from "~/strings/en";

interface StopDialogProps {
  session: Session;
  opened: boolean;
  busy: boolean;
  onStop: () => void;
  onClose: () => void;
}

/** Asks before a running session ends, and names what is lost. */
export function StopDialog({ session, opened, busy, onStop, onClose }: StopDialogProps) {
  const { gpus, nodes, gpu_type } = session.resources;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={strings.stop.title(session.name)}
      closeButtonProps={{ "aria-label": strings.stop.keep }}
    >
      <p style={{ marginTop: 0 }}>{strings.stop.lost(session.app_title, session.node)}</p>
      <p className="quiet">
        {strings.stop.kept} {gpus > 0 && strings.stop.gpus(strings.resources.gpus(gpus * nodes, gpu_type))}
      </p>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {strings.stop.keep}
        </Button>
        <Button color="bad" loading={busy} onClick={onStop}>
          {strings.stop.confirm}
        </Button>
      </Group>
    </Modal>
  );
}
