// Applies events to the query cache. An event can arrive while a request is in flight, and the answer may be older than
// the event. Stored as it is, the answer would undo the event, for good if nothing changes again.
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

/** Changes the cached data now, and the answer to a request in flight when it arrives. */
export function change<T>(queries: QueryClient, queryKey: QueryKey, apply: (known: T) => T): void {
  const put = () => void queries.setQueryData<T>(queryKey, (known) => (known === undefined ? undefined : apply(known)));
  put();
  afterAnswer(queries.getQueryCache().find({ queryKey }), put);
}

/** Refetches. React Query does not cancel a query's first request, so that one is followed by another. */
export function readAgain(queries: QueryClient, queryKey: QueryKey, predicate: (query: Query) => boolean = () => true): void {
  const first = queries.getQueryCache().findAll({ queryKey, predicate: (query) => query.state.data === undefined && predicate(query) });
  void queries.invalidateQueries({ queryKey, predicate });
  for (const query of first) afterAnswer(query, () => void queries.invalidateQueries({ queryKey: query.queryKey, exact: true }));
}

/** Does nothing if no request is in flight, or if it fails. React Query stores its answer first. */
function afterAnswer(query: Query | undefined, act: () => void): void {
  query?.promise?.then(act, () => undefined);
}
