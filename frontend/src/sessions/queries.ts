import { useQuery } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { paths } from "~/api/schema.gen";
import type { Answer } from "~/api/types";

export type SessionUse = Answer<paths["/sessions/{session_id}/usage"]["get"]>;

export const useSessionUse = (id: string, live: boolean) =>
  useQuery({
    queryKey: ["usage", "session", id],
    queryFn: () => answer(() => client.GET("/sessions/{session_id}/usage", { params: { path: { session_id: id } } })),
    // Samples come once a minute; an open page of a running session polls as often.
    refetchInterval: live ? 60_000 : false,
  });
