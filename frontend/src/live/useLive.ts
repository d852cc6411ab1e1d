// Opens the page's one stream and feeds the cache. A tab that nobody looks at lets go of its stream after a while
// (browsers allow few connections to one host), unless it has promised a notification.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { JobsEvent } from "~/api/jobTypes";
import { keys } from "~/api/queries";
import type { Availability, EnvironmentEvent, ImageEvent, Session, SlurmState } from "~/api/types";
import { putImage } from "~/images/queries";
import { streams } from "~/paths";
import { knownSession, putAvailability, putEnvironment, putSession, putSlurm, readAllAgain } from "./cache";
import { tellOfJobs } from "./jobNotices";
import { putJobs } from "./jobs";
import { noticesWanted, tellOfSession } from "./notices";
import { live } from "./status";
import { LiveStream } from "./stream";

const HIDDEN_FOR_MS = 5 * 60_000;

export function useLive(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const stream = new LiveStream(streams.all(), {
      on: {
        session: (data) => {
          const session = data as Session;
          tellOfSession(knownSession(queries, session.id), session);
          putSession(queries, session);
        },
        availability: (data) => putAvailability(queries, data as Availability),
        site: (data) => putSlurm(queries, data as SlurmState),
        messages: (data) => queries.setQueryData(keys.messages, data),
        announcements: (data) => queries.setQueryData(keys.announcements, data),
        jobs: (data) => {
          const news = data as JobsEvent;
          tellOfJobs(news.items, Date.now());
          putJobs(queries, news);
        },
        image: (data) => putImage(queries, data as ImageEvent),
        environment: (data) => putEnvironment(queries, data as EnvironmentEvent),
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

    let hidden: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = () => {
      clearTimeout(hidden);
      if (!document.hidden) stream.open();
      else if (!noticesWanted()) hidden = setTimeout(() => stream.close(), HIDDEN_FOR_MS);
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearTimeout(hidden);
      document.removeEventListener("visibilitychange", onVisibility);
      stream.close();
    };
  }, [queries]);
}
