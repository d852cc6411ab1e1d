// Opens the page's one stream and feeds the cache. A hidden tab closes its stream after a while (browsers allow few
// connections per host), unless it has promised a notification.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { knownSession, putAvailability, putEnvironment, putMissing, putSession, putSlurm, readAllAgain } from "~/api/cache";
import { putImage } from "~/api/images";
import { change } from "~/api/inFlight";
import { putJobs } from "~/api/jobCache";
import type { JobsEvent } from "~/api/jobTypes";
import { keys } from "~/api/keys";
import type { Availability, EnvironmentEvent, ImageEvent, Session, Site, SlurmState } from "~/api/types";
import { streams } from "~/paths";
import { interest } from "./interest";
import { tellOfJobs } from "./jobNotices";
import { pageHandlers } from "./news";
import { noticesWanted, tellOfSession } from "./notices";
import { live } from "./status";
import { LiveStream } from "./stream";

const HIDDEN_FOR_MS = 5 * 60_000;
const SETTLE_MS = 50;

export function useLive(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const stream = new LiveStream(() => streams.all(interest.current()), {
      on: {
        session: (data) => {
          const session = data as Session;
          tellOfSession(knownSession(queries, session.id), session);
          putSession(queries, session);
        },
        availability: (data) => putAvailability(queries, data as Availability),
        site: (data) => putSlurm(queries, data as SlurmState),
        missing: (data) => putMissing(queries, data as { items: Site["missing"] }),
        messages: (data) => change(queries, keys.messages, () => data),
        announcements: (data) => change(queries, keys.announcements, () => data),
        jobs: (data) => {
          const news = data as JobsEvent;
          tellOfJobs(news.items, Date.now());
          putJobs(queries, news);
        },
        reset: () => readAllAgain(queries),
        here: () => undefined,
        image: (data) => putImage(queries, data as ImageEvent),
        environment: (data) => putEnvironment(queries, data as EnvironmentEvent),
        ...pageHandlers(queries),
      },
      onOpen: (again) => {
        live.opened();
        if (again) readAllAgain(queries);
      },
      onLost: () => {
        live.lost(Date.now());
        void queries.invalidateQueries({ queryKey: keys.me });
      },
    });
    stream.open();

    // When one page replaces another, what both want is requested once.
    let asked = streams.all(interest.current());
    let changing: ReturnType<typeof setTimeout> | undefined;
    const unfollow = interest.follow(() => {
      clearTimeout(changing);
      changing = setTimeout(() => {
        const wanted = streams.all(interest.current());
        if (wanted === asked) return;
        asked = wanted;
        stream.close();
        stream.open();
      }, SETTLE_MS);
    });

    let hidden: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = () => {
      clearTimeout(hidden);
      if (!document.hidden) stream.open();
      else if (!noticesWanted()) hidden = setTimeout(() => stream.close(), HIDDEN_FOR_MS);
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearTimeout(hidden);
      clearTimeout(changing);
      unfollow();
      document.removeEventListener("visibilitychange", onVisibility);
      stream.close();
    };
  }, [queries]);
}
