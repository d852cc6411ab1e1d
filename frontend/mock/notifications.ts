// Invented notification channels.
import type { Delivery, Notifications } from "../src/notifications/queries";
import { ago, ahead } from "./units";

export const delivery = (change: Partial<Delivery> = {}): Delivery => ({
  id: 3,
  at: ago(300),
  channel: "mail",
  event: "ready",
  session_id: "bertfinetune",
  title: "bert-finetune is ready",
  state: "sent",
  attempts: 1,
  next_at: null,
  done_at: ago(299),
  result: "Accepted by the mail server for alice@example.org: 2.0.0 Ok: queued as 4XyZ",
  ...change,
});

export const deliveries = (): Delivery[] => [
  delivery({
    id: 4,
    channel: "webhook",
    event: "test",
    session_id: null,
    title: "Test message",
    state: "pending",
    attempts: 2,
    next_at: ahead(30),
    done_at: null,
    result: "The receiver answers HTTP 503.",
  }),
  delivery(),
  delivery({ id: 2, title: "sweep is ready", state: "dropped", at: ago(7200), result: "Too old to be sent." }),
];

export const notifications = (change: Partial<Notifications> = {}): Notifications => ({
  mail: { offered: true, address: "alice@example.org", why_not: null, events: ["ready", "ended_badly"] },
  webhook: {
    offered: true,
    hosts: ["hooks.slack.com"],
    host: "hooks.slack.com",
    shape: "slack",
    events: ["ended_badly"],
    changed_at: ago(86_400),
  },
  ending_minutes: 15,
  idle_minutes: 60,
  ...change,
});
