// A reading takes its time, and news come meanwhile. The answer may have been made before them: whoever put it in place
// as it is would take the news back, for good where nothing changes any more. So they are put on top of it.

export interface Replay<News> {
  put: (news: News) => void;
  /** What `read` brings, with all news on top that came since it was asked for. */
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
