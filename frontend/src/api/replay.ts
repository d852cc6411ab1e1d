// Events can arrive while a query is in flight, and its response may be older than they are. Stored as it is, the
// response would undo them, for good if nothing changes again. So they are replayed on top of it.

export interface Replay<News> {
  put: (news: News) => void;
  /** What `read` returns, with all events since the request applied on top. */
  during: <T>(read: () => Promise<T>, apply: (known: T, news: News) => T) => Promise<T>;
}

export function replay<News>(): Replay<News> {
  const readings = new Set<News[]>();
  return {
    put: (news) => readings.forEach((missed) => missed.push(news)),
    during: async (read, apply) => {
      const missed: News[] = [];
      readings.add(missed);
      try {
        const known = await read();
        return missed.reduce(apply, known);
      } finally {
        readings.delete(missed);
      }
    },
  };
}
