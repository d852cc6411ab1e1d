// A modal dialog with its title and a close button. Composed by hand: screen readers take Mantine's own header for a
// second banner.
import { Modal } from "@mantine/core";
import { useLayoutEffect, type ReactNode } from "react";

import classes from "./Dialog.module.css";

interface DialogProps {
  opened: boolean;
  title: string;
  /** The label of the close button; without one, only the dialog's own buttons close it. */
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

/** Returns the focus to where it was, even if the dialog is unmounted instead of closed, which Mantine does not. */
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
