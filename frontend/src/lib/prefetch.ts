// Fetches files into the browser's cache ahead of the page that needs them.

/** Requests at a time: the browser's few connections to the portal stay free for what the user does. */
const AT_ONCE = 3;

const asked = new Set<string>();
const waiting: string[] = [];
let running = 0;

interface Connection {
  readonly saveData?: boolean;
  readonly type?: string;
  readonly effectiveType?: string;
}

/** Whether the user pays for what is loaded, or waits for it. Browsers that do not say are taken to be on a good line. */
export function metered(): boolean {
  const { saveData, type, effectiveType } = (navigator as { connection?: Connection }).connection ?? {};
  return saveData === true || type === "cellular" || /2g$/.test(effectiveType ?? "");
}

/** Fetch at the lowest priority what this page has not fetched yet. */
export function prefetch(urls: readonly string[]): void {
  for (const url of urls) {
    if (!asked.has(url)) waiting.push(url);
    asked.add(url);
  }
  while (running < AT_ONCE && waiting.length > 0) next();
}

function next(): void {
  const url = waiting.shift();
  if (url === undefined) return;
  running += 1;
  const link = Object.assign(document.createElement("link"), { rel: "prefetch", href: url });
  const done = () => {
    link.remove();
    running -= 1;
    next();
  };
  link.addEventListener("load", done);
  link.addEventListener("error", done);
  document.head.append(link);
}
