// A modal dialog with its title and a way out. Put together by hand: Mantine's own head is a second banner to screen
// readers.
import { Modal } from "@mantine/core";
import { useLayoutEffect, type ReactNode } from "react";

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
  useFocusReturn(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      centered
      closeOnClickOutside={free}
      closeOnEscape={free}
      returnFocus={false}
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

/** Gives the focus back to where it was, also when the dialog is not closed but taken away, which Mantine does not. */
function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [opened]);
}

/** The dialog's buttons, at its end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes["actions"]}>{children}</div>;
}
