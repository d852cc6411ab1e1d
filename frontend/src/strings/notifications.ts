import { plural } from "./plural";

export const notifications = {
  nav: "Notifications",
  title: "Notifications",
  lead: "Choose what the portal tells you about your sessions, and where.",

  browser: "In this browser",
  browserHint: "When a session is ready, about to end, or has ended, while a page of the portal is open.",
  browserAsk: "Allow notifications",
  browserStates: {
    on: "This browser shows a notification when a session is ready, about to end, or has ended, while a page of the portal is open.",
    denied: "This browser blocks notifications from this site. Allow them in the browser’s settings for this site.",
    unsupported: "This browser shows no notifications from this site.",
  },

  mail: "Mail",
  noMail: "This site sends no mail.",
  mailTo: (address: string) => `Goes to ${address}, your address in the directory.`,

  webhook: "Webhook",
  noWebhooks: "This site allows no webhooks.",
  webhookHint: (hosts: readonly string[]) =>
    `Create an incoming webhook in your chat and paste its URL here. It is stored encrypted and never shown again. Allowed hosts: ${hosts.join(", ")}.`,
  webhookTo: (host: string, shape: string) => `Goes to ${host} (${shape}). Its URL is stored encrypted and is never shown again.`,
  url: "Webhook URL",
  newUrl: "Replace the URL",
  shape: "Format",
  shapes: { slack: "Slack", teams: "Microsoft Teams", mattermost: "Mattermost", json: "JSON" },
  save: "Save",
  remove: "Remove",

  tellMe: (channel: string) => `${channel}: tell me when`,
  events: {
    ready: "a session is ready",
    ending_soon: "a session ends soon",
    ended_badly: "a session ended badly",
    idle: "a session’s GPUs are idle",
    message: "an administrator writes to me",
  },
  eventHints: (endingMinutes: number, idleMinutes: number) => ({
    ready: null,
    ending_soon: `${endingMinutes} min before its time limit, less for short sessions`,
    ended_badly: "Out of memory, time limit, node failure, stopped by an administrator",
    idle: `When none of them has been used for ${idleMinutes} min`,
    message: null,
  }),

  test: "Send a test",
  log: "Sent messages",
  logEmpty: "Nothing has been sent to you yet.",
  channels: { mail: "Mail", webhook: "Webhook" },
  states: { pending: "Waiting", sent: "Sent", failed: "Failed", dropped: "Not sent" },
  attempts: (count: number) => plural(count, "attempt"),
  again: "next attempt",
};
