// Queries and mutations of nodes and reservations for administrators. Nothing polls: the page's stream reports when the
// nodes change.
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { readAgain } from "~/api/inFlight";
import { keys } from "~/api/keys";
import type { paths } from "~/api/schema.gen";
import { useInterest } from "~/live/interest";
import { onNews } from "~/live/news";

type Nodes = paths["/admin/nodes"]["get"]["responses"][200]["content"]["application/json"];
export type NodeRow = Nodes["items"][number];
export type Drain = paths["/admin/nodes/drain"]["post"]["requestBody"]["content"]["application/json"];
type Reservations = paths["/admin/reservations"]["get"]["responses"][200]["content"]["application/json"];
export type Reservation = Reservations["items"][number];
export type ReservationAsked = paths["/admin/reservations"]["post"]["requestBody"]["content"]["application/json"];

const nodesKey = ["admin", "nodes"] as const;
const reservationsKey = ["admin", "reservations"] as const;

onNews("nodes", (queries) => readAgain(queries, nodesKey));

export type NodeHealth = paths["/admin/nodes/{name}"]["get"]["responses"][200]["content"]["application/json"];

export function useNodeHealth(name: string) {
  useInterest("nodes");
  return useQuery({
    queryKey: [...nodesKey, name],
    queryFn: () => answer(() => client.GET("/admin/nodes/{name}", { params: { path: { name } } })),
  });
}

export function useNodes() {
  useInterest("nodes");
  return useQuery(queryOptions({ queryKey: nodesKey, queryFn: () => answer(() => client.GET("/admin/nodes")) }));
}

/** Queries Slurm itself: not while it is known to be down, and again as soon as it answers. */
export const useReservations = (enabled: boolean) =>
  useQuery(queryOptions({ queryKey: reservationsKey, queryFn: () => answer(() => client.GET("/admin/reservations")), enabled }));

export function useDrain() {
  return useChange((asked: Drain) => answer(() => client.POST("/admin/nodes/drain", { body: asked })));
}

export function useResume() {
  return useChange((nodes: string[]) => answer(() => client.POST("/admin/nodes/resume", { body: { nodes } })));
}

export function useReserve() {
  return useChange((asked: ReservationAsked) => answer(() => client.POST("/admin/reservations", { body: asked })));
}

export type ReservationChange = paths["/admin/reservations/{name}"]["patch"]["requestBody"]["content"]["application/json"];

export function useChangeReservation(name: string) {
  return useChange((asked: ReservationChange) =>
    answer(() => client.PATCH("/admin/reservations/{name}", { params: { path: { name } }, body: asked })),
  );
}

export function useUnreserve() {
  return useChange((name: string) =>
    answer(() => client.DELETE("/admin/reservations/{name}", { params: { path: { name } } })),
  );
}

function useChange<Asked, Answered>(change: (asked: Asked) => Promise<Answered>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: nodesKey }),
        queries.invalidateQueries({ queryKey: reservationsKey }),
        queries.invalidateQueries({ queryKey: keys.options }),
      ]),
  });
}
