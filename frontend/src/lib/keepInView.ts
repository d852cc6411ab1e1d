// Scrolls to an element, and again when the page's size changes: what stands above it may still be loading. It ends when
// the user moves, or after a while.
const WHILE_MS = 3000;
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];

export function keepInView(element: Element): () => void {
  const show = () => element.scrollIntoView({ block: "center" });
  const ended = new AbortController();
  const sizes = new ResizeObserver(show);
  const timer = setTimeout(end, WHILE_MS);
  function end() {
    clearTimeout(timer);
    sizes.disconnect();
    ended.abort();
  }
  show();
  sizes.observe(document.body);
  for (const move of MOVES) window.addEventListener(move, end, { signal: ended.signal, passive: true });
  return end;
}
