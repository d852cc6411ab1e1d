// Single-key shortcuts for the whole app. By character, not by key position: on some keyboards "/" needs Shift.
import { useEffect, useRef } from "react";

export interface Keys {
  n: () => void;
  b: () => void;
  "/": () => void;
  "?": () => void;
  palette: () => void;
}

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = actionOf(event);
      if (action === null) return;
      event.preventDefault();
      latest.current[action]();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

export function actionOf(event: KeyboardEvent): keyof Keys | null {
  if (event.defaultPrevented || event.altKey || event.isComposing) return null;
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "k" ? "palette" : null;
  if (isTyping(event.target) || document.querySelector("[aria-modal='true']") !== null) return null;
  return event.key === "n" || event.key === "b" || event.key === "/" || event.key === "?" ? event.key : null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
