// A modal dialog with its title and a way out. Put together by hand: Mantine's own head is a second banner to screen
// readers.
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

import classes from "./Dialog.module.css";

interface DialogProps {
  opened: boolean;
  title: string;
  /** Name of the way out; without it there is none but what the dialog itself offers. */
  closeLabel?: string;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ opened, title, closeLabel, onClose, children }: DialogProps) {
  const free = closeLabel !== undefined;
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      centered
      closeOnClickOutside={free}
      closeOnEscape={free}
      transitionProps={{ duration: 120, transition: "fade" }}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content>
        <div className={classes["head"]}>
          <Modal.Title>{title}</Modal.Title>
          {free && <Modal.CloseButton aria-label={closeLabel} />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The dialog's buttons, at its end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes["actions"]}>{children}</div>;
}
