// How events from the stream change what the page knows. Pure: old value in, new value out.
import type {
  Availability,
  Environment,
  EnvironmentEvent,
  Options,
  ProgressEvent,
  Session,
  SessionPage,
} from "./types";

export const isActive = (session: Session) => session.state !== "ended";

/**
 * A session after an event or a response about it. The stream and the responses come over different connections, so
 * that an event can arrive after the response to a later change: what is older is dropped, and what has ended stays ended.
 */
export function mergeSession(known: Session | undefined, news: Session): Session {
  if (known === undefined) return news;
  return news.revision < known.revision || (!isActive(known) && isActive(news)) ? known : news;
}

/** The list of active sessions after an event about one: changed in place, new ones first, ended ones removed. */
export function mergeActive(page: SessionPage, news: Session): SessionPage {
  const others = page.items.filter((item) => item.id !== news.id);
  if (!isActive(news)) return { ...page, items: others };
  if (others.length === page.items.length) return { ...page, items: [news, ...others].sort(newestFirst) };
  return { ...page, items: page.items.map((item) => (item.id === news.id ? mergeSession(item, news) : item)) };
}

/** The pages of ended sessions after an event about one: a newly ended one goes on the page where its age belongs. */
export function mergeEnded(pages: SessionPage[], news: Session): SessionPage[] {
  return pages.map((page, index) => mergeEndedPage(page, news, pages[index - 1]?.next ?? null));
}

/** One page of them, of sessions older than `before`. */
export function mergeEndedPage(page: SessionPage, news: Session, before: string | null): SessionPage {
  if (isActive(news)) return page;
  if (page.items.some((item) => item.id === news.id)) {
    return { ...page, items: page.items.map((item) => (item.id === news.id ? mergeSession(item, news) : item)) };
  }
  const created = Date.parse(news.created_at);
  const belongs =
    (before === null || created < Date.parse(before)) && (page.next === null || created >= Date.parse(page.next));
  return belongs ? { ...page, items: [news, ...page.items].sort(newestFirst) } : page;
}

/** The options after an event that is the same for everybody: my own obstacles to a partition stay. */
export function mergeAvailability(options: Options, news: Availability): Options {
  const partitions = news.partitions.map((partition) => {
    const known = options.partitions.find(({ name }) => name === partition.name);
    if (known === undefined || !partition.available) return partition;
    return { ...partition, available: known.available, reason: known.reason };
  });
  return { ...options, as_of: news.as_of, partitions, gpus: news.gpus };
}

/** Whether partitions appeared, disappeared, opened or closed: then what I may use must be refetched. */
export function doorsChanged(before: Availability | undefined, news: Availability): boolean {
  const doors = ({ partitions }: Availability) => partitions.map(({ name, reason }) => `${name}:${reason ?? ""}`).join();
  return before !== undefined && doors(before) !== doors(news);
}

export function mergeEnvironment(items: Environment[], news: EnvironmentEvent): Environment[] {
  return items.map((item) =>
    item.name === news.name
      ? { ...item, ...news, installed: news.state === "installed" || (news.state !== "failed" && item.installed) }
      : item,
  );
}

/** Progress in order of `seq`; events repeated by a reconnection count once. */
export function addProgress(events: readonly ProgressEvent[], news: ProgressEvent): readonly ProgressEvent[] {
  const last = events.at(-1);
  if (last === undefined || news.seq > last.seq) return [...events, news];
  if (events.some((event) => event.seq === news.seq)) return events;
  return [...events, news].sort((a, b) => a.seq - b.seq);
}

function newestFirst(a: Session, b: Session): number {
  return Date.parse(b.created_at) - Date.parse(a.created_at);
}
