// Nodes and reservations as administrators read and change them. Nothing polls: each news of availability reads the nodes
// again while their page is open.
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { keys, useOptions } from "~/api/queries";
import type { paths } from "~/api/schema.gen";

type Nodes = paths["/admin/nodes"]["get"]["responses"][200]["content"]["application/json"];
export type NodeRow = Nodes["items"][number];
export type Drain = paths["/admin/nodes/drain"]["post"]["requestBody"]["content"]["application/json"];
type Reservations = paths["/admin/reservations"]["get"]["responses"][200]["content"]["application/json"];
export type Reservation = Reservations["items"][number];
export type ReservationAsked = paths["/admin/reservations"]["post"]["requestBody"]["content"]["application/json"];

const nodesKey = ["admin", "nodes"] as const;
const reservationsKey = ["admin", "reservations"] as const;

export function useNodes() {
  const asOf = useOptions().data?.as_of ?? null;
  return useQuery(
    queryOptions({
      queryKey: [...nodesKey, asOf],
      queryFn: () => answer(() => client.GET("/admin/nodes")),
      placeholderData: (before) => before,
    }),
  );
}

export const useReservations = () =>
  useQuery(queryOptions({ queryKey: reservationsKey, queryFn: () => answer(() => client.GET("/admin/reservations")) }));

export function useDrain() {
  return useChange((asked: Drain) => answer(() => client.POST("/admin/nodes/drain", { body: asked })));
}

export function useResume() {
  return useChange((nodes: string[]) => answer(() => client.POST("/admin/nodes/resume", { body: { nodes } })));
}

export function useReserve() {
  return useChange((asked: ReservationAsked) => answer(() => client.POST("/admin/reservations", { body: asked })));
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
