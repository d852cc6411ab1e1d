// Queries and mutations of a user's notification channels.
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { answer, client, done } from "~/api/client";
import { change } from "~/api/inFlight";
import type { components, paths } from "~/api/schema.gen";
import { onNews } from "~/live/news";

export type Notifications = paths["/notifications"]["get"]["responses"][200]["content"]["application/json"];
export type DeliveryList = paths["/notifications/log"]["get"]["responses"][200]["content"]["application/json"];
export type Delivery = DeliveryList["items"][number];
export type Happening = components["schemas"]["Happening"];
export type Shape = components["schemas"]["Shape"];
export type WebhookAsked = components["schemas"]["WebhookIn"];
export type Channel = components["schemas"]["Channel"];

const key = ["notifications"] as const;
const logKey = ["notifications", "log"] as const;

export const useNotifications = () =>
  useQuery(queryOptions({ queryKey: key, queryFn: () => answer(() => client.GET("/notifications")) }));

export const useDeliveries = () =>
  useQuery(queryOptions({ queryKey: logKey, queryFn: () => answer(() => client.GET("/notifications/log")) }));

export function useSetMail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (events: Happening[]) => answer(() => client.PUT("/notifications/mail", { body: { events } })),
    onSuccess: (state) => queries.setQueryData(key, state),
  });
}

export function useSetWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: WebhookAsked) => answer(() => client.PUT("/notifications/webhook", { body: asked })),
    onSuccess: (state) => queries.setQueryData(key, state),
  });
}

export function useForgetWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => done(() => client.DELETE("/notifications/webhook")),
    onSuccess: () => queries.invalidateQueries({ queryKey: key, exact: true }),
  });
}

export function useTest() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (channel: Channel) =>
      answer(() => client.POST("/notifications/{channel}/test", { params: { path: { channel } } })),
    onSuccess: (delivery) => putDelivery(queries, delivery),
  });
}

/** Puts one message into the log, in its place or on top; an older answer never replaces a newer one. */
export function putDelivery(queries: QueryClient, news: Delivery): void {
  change<DeliveryList>(queries, logKey, (list) => {
    const known = list.items.find(({ id }) => id === news.id);
    if (known === undefined) return { items: [news, ...list.items] };
    if (known.done_at !== null && news.done_at === null) return list;
    return { items: list.items.map((delivery) => (delivery.id === news.id ? news : delivery)) };
  });
}

onNews("notification", putDelivery);
