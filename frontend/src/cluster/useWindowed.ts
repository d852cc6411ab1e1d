// Renders only visible rows: computes which rows of known heights are in view.
import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** Rows above and below that are rendered as well, in pixels. */
const MARGIN_PX = 300;
/** Scrolling by less than this renders nothing new. */
const STEP_PX = 120;

export interface Windowed {
  frame: RefObject<HTMLDivElement | null>;
  width: number;
  /** Rows `from` up to, not including, `to`. */
  range: (tops: readonly number[]) => { from: number; to: number };
}

export function useWindowed(): Windowed {
  const frame = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, bottom: 1200, width: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let waiting = 0;
    const look = () => {
      waiting = 0;
      const { top, width } = element.getBoundingClientRect();
      const from = Math.floor((-top - MARGIN_PX) / STEP_PX) * STEP_PX;
      const to = Math.ceil((-top + window.innerHeight + MARGIN_PX) / STEP_PX) * STEP_PX;
      setSeen((old) => (old.top === from && old.bottom === to && old.width === width ? old : { top: from, bottom: to, width }));
    };
    const soon = () => {
      if (waiting === 0) waiting = requestAnimationFrame(look);
    };
    look();
    const sizes = new ResizeObserver(soon);
    sizes.observe(element);
    sizes.observe(document.body);
    window.addEventListener("scroll", soon, { passive: true });
    window.addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(waiting);
      sizes.disconnect();
      window.removeEventListener("scroll", soon);
      window.removeEventListener("resize", soon);
    };
  }, []);
  return {
    frame,
    width: seen.width,
    range: (tops) => ({ from: Math.max(0, firstAbove(tops, seen.top) - 1), to: firstAbove(tops, seen.bottom) }),
  };
}

/** The first index whose top is at or below `y`; tops grow. */
export function firstAbove(tops: readonly number[], y: number): number {
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] ?? 0) < y) low = middle + 1;
    else high = middle;
  }
  return low;
}
