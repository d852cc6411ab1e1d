// Every mutation of the API as a hook. The server's response goes into the cache at once; the live stream follows.
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { putSession } from "./cache";
import { answer, client } from "./client";
import { keys } from "./keys";
import { requestKeys } from "./requestKeys";
import type { ChangeRequest, Session, SessionAsked } from "./types";

export function useStartSession() {
  const queries = useQueryClient();
  const [requests] = useState(requestKeys);
  return useMutation({
    mutationFn: (asked: SessionAsked) =>
      answer(() => client.POST("/sessions", { body: asked, params: { header: { "idempotency-key": requests.of(asked) } } })),
    onSuccess: (session) => {
      requests.done();
      putSession(queries, session);
    },
  });
}

/** Stops a running session or cancels a waiting one: the API does not distinguish them. */
export function useStopSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(() => client.DELETE("/sessions/{session_id}", { params: { path: { session_id: id } } })),
    onSuccess: (session) => putSession(queries, session),
    onError: (_problem, id) => readAgain(queries, id),
  });
}

/** Puts off the announced end of an idle session. */
export function useSnooze() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(() => client.POST("/sessions/{session_id}/snooze", { params: { path: { session_id: id } } })),
    onSuccess: (session) => putSession(queries, session),
    onError: (_problem, id) => readAgain(queries, id),
  });
}

/** Sets a running session's time limit, in seconds from its start. */
export function useSetTime() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, walltime_s }: { id: string; walltime_s: number }) =>
      answer(() => client.PUT("/sessions/{session_id}/time-limit", { params: { path: { session_id: id } }, body: { walltime_s } })),
    onSuccess: (session) => putSession(queries, session),
    onError: (_problem, { id }) => readAgain(queries, id),
  });
}

/** Says whether an end has been seen: it is shown on top of the sessions until then. */
export function useSeeEnd() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, seen }: { id: string; seen: boolean }) =>
      answer(() => client.PUT("/sessions/{session_id}/end-seen", { params: { path: { session_id: id } }, body: { seen } })),
    onSuccess: (session) => putSession(queries, session),
    onError: (_problem, { id }) => readAgain(queries, id),
  });
}

/** Changes what a waiting session asks for. */
export function useChangeSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ChangeRequest }) =>
      answer(() => client.PUT("/sessions/{session_id}/resources", { params: { path: { session_id: id } }, body })),
    onSuccess: (session) => putSession(queries, session),
    onError: (_problem, { id }) => readAgain(queries, id),
  });
}

/** Dismisses a message from the administrators. */
export function useReadMessage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => answer(() => client.DELETE("/messages/{message_id}", { params: { path: { message_id: id } } })),
    onSuccess: (left) => queries.setQueryData(keys.messages, left),
  });
}

export function useInstallEnvironment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => answer(() => client.POST("/environments/{name}/install", { params: { path: { name } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.environments }),
  });
}

export function useOpenTemplate() {
  return useMutation({
    mutationFn: ({ template, session, version }: { template: string; session: Session["id"]; version: "mine" | "new" }) =>
      answer(() =>
        client.POST("/templates/{template_id}/open", {
          params: { path: { template_id: template } },
          body: { session, version },
        }),
      ),
  });
}

function readAgain(queries: QueryClient, id: string): void {
  void queries.invalidateQueries({ queryKey: keys.session(id) });
  void queries.invalidateQueries({ queryKey: keys.active });
}
