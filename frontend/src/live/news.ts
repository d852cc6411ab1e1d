// Page-specific events, by their name on the one stream. A page registers its handler when its code loads; until then
// there is no state to update.
import type { QueryClient } from "@tanstack/react-query";

type PageEvent = "anyones" | "file-operation" | "health" | "nodes" | "notification" | "queue";
type Put = (queries: QueryClient, news: never) => void;

const puts = new Map<PageEvent, Put>();

export function onNews(event: PageEvent, put: Put): void {
  puts.set(event, put);
}

/** Handlers for the stream. They look up the page's handler per event, because pages load while the stream is open. */
export function pageHandlers(queries: QueryClient): Record<PageEvent, (data: unknown) => void> {
  const handle = (event: PageEvent) => (data: unknown) => puts.get(event)?.(queries, data as never);
  return {
    anyones: handle("anyones"),
    "file-operation": handle("file-operation"),
    health: handle("health"),
    nodes: handle("nodes"),
    notification: handle("notification"),
    queue: handle("queue"),
  };
}
