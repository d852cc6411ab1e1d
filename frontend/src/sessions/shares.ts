// What sessions are shared with whom: the owner's side and the guest's.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { keys } from "~/api/keys";
import type { ShareAsked } from "~/api/types";

const SHARED_STALE_MS = 15_000;

export const useShares = (id: string) =>
  useQuery({
    queryKey: keys.shares(id),
    queryFn: () => answer(() => client.GET("/sessions/{session_id}/shares", { params: { path: { session_id: id } } })),
    staleTime: 0,
  });

/** What others share with me; no event tells of it, so it is read again when the page is looked at again. */
export const useShared = () =>
  useQuery({
    queryKey: keys.shared,
    queryFn: () => answer(() => client.GET("/shares")),
    staleTime: SHARED_STALE_MS,
    refetchOnWindowFocus: true,
  });

export function useShare(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ShareAsked) =>
      answer(() => client.POST("/sessions/{session_id}/shares", { params: { path: { session_id: id } }, body })),
    onSuccess: (shares) => queries.setQueryData(keys.shares(id), shares),
  });
}

export function useUnshare(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (share: number) =>
      answer(() =>
        client.DELETE("/sessions/{session_id}/shares/{share_id}", { params: { path: { session_id: id, share_id: share } } }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.shares(id) }),
  });
}

/** Where to open what is shared with me. With `state`, which the session's host sent, it lets this browser in. */
export const useOpening = (id: string, state: string | null) =>
  useQuery({
    queryKey: ["opening", id, state],
    queryFn: () =>
      answer(() => client.POST("/shares/{share_id}/open", { params: { path: { share_id: Number(id) } }, body: { state } })),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
