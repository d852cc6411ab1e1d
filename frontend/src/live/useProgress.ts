import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useState } from "react";

import { readAgain } from "~/api/inFlight";
import { keys } from "~/api/keys";
import { addProgress } from "~/api/merge";
import type { ProgressEvent } from "~/api/types";
import { streams } from "~/paths";
import { LiveStream } from "./stream";

/** The progress of one session, past and live, until it ends. */
export function useProgress(id: string): { events: readonly ProgressEvent[]; lost: boolean } {
  const queries = useQueryClient();
  const [events, add] = useReducer(addProgress, []);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const stream = new LiveStream(streams.session(id), {
      on: {
        progress: (data) => add(data as ProgressEvent),
        end: () => {
          stream.close();
          readAgain(queries, keys.session(id));
        },
      },
      onOpen: () => setLost(false),
      onLost: () => setLost(true),
    });
    stream.open();
    return () => stream.close();
  }, [id, queries]);
  return { events, lost };
}
