// News that belongs to pages, by the event of the one stream that brings it. A page says what to do with its news when
// its code is loaded; until then there is nothing of it to keep.
import type { QueryClient } from "@tanstack/react-query";

type PageEvent = "anyones" | "health" | "nodes" | "queue";
type Put = (queries: QueryClient, news: never) => void;

const puts = new Map<PageEvent, Put>();

export function onNews(event: PageEvent, put: Put): void {
  puts.set(event, put);
}

/** Handlers for the stream. They look up what to do when news comes: pages are loaded while the stream is open. */
export function pageHandlers(queries: QueryClient): Record<PageEvent, (data: unknown) => void> {
  const handle = (event: PageEvent) => (data: unknown) => puts.get(event)?.(queries, data as never);
  return { anyones: handle("anyones"), health: handle("health"), nodes: handle("nodes"), queue: handle("queue") };
}
