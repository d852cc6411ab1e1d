// The scroll position: at the end it follows new lines; elsewhere the same lines stay in view, whatever is removed or
// added above them.
import { useEffect, useLayoutEffect, useRef, useState } from "react";

import type { OutputReader } from "./reader";

export const LINE_HEIGHT = 18;
// Render a screenful before the first layout.
const SCREENFUL = 480;

export function useTail(reader: OutputReader, target: number | null) {
  const { buffer, version, atEnd } = reader;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(SCREENFUL);
  const gone = useRef(0);
  const lastTop = useRef(0);

  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? SCREENFUL));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (atEnd) element.scrollTop = element.scrollHeight;
    else if (buffer.gone !== gone.current) element.scrollTop -= (buffer.gone - gone.current) * LINE_HEIGHT;
    gone.current = buffer.gone;
    lastTop.current = element.scrollTop;
  }, [buffer, version, atEnd, height]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || target === null) return;
    element.scrollTop = (target - buffer.gone) * LINE_HEIGHT - element.clientHeight / 2;
  }, [buffer, target]);

  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop, clientHeight, scrollHeight } = element;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < LINE_HEIGHT;
    // New lines may have arrived since the view went to the end: only scrolling up means that the user left it.
    if (isAtEnd || scrollTop < lastTop.current) reader.stayAtEnd(isAtEnd);
    lastTop.current = scrollTop;
    setTop(scrollTop);
  };
  return { box, top, height, onScroll };
}
