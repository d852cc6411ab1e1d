// Files dragged over the page.
import { useEffect, useRef, useState } from "react";

/**
 * Takes what is dropped anywhere on the page, so that a near miss does not make the browser open the file instead.
 * Null refuses it. True while files are dragged over the page.
 */
export function useDrop(onDrop: ((items: DataTransferItemList) => void) | null): boolean {
  const [over, setOver] = useState(false);
  const take = useRef(onDrop);
  useEffect(() => {
    take.current = onDrop;
  });
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = take.current === null ? "none" : "copy";
      setOver(true);
    };
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const onDropped = (event: DragEvent) => {
      setOver(false);
      if (event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      take.current?.(event.dataTransfer.items);
    };
    document.addEventListener("dragover", onDragOver);
    document.addEventListener("dragleave", onLeave);
    document.addEventListener("drop", onDropped);
    return () => {
      document.removeEventListener("dragover", onDragOver);
      document.removeEventListener("dragleave", onLeave);
      document.removeEventListener("drop", onDropped);
    };
  }, []);
  return over;
}
