// The administrators' part of the mock API.
import type { AnnouncementAsked } from "../src/admin/announcements/queries";
import * as sessions from "./adminSessions";
import { announcement } from "./announcements";
import { found, json, refuse, type Handler, type Route } from "./answers";
import { health } from "./health";
import { nodeHealth, nodes, queue, reservations } from "./operate";
import { everybody, groups, limits, person, slurmLimits } from "./people";
import { ago, ahead } from "./units";

const saved: Handler = async (request, [id], world) => {
  const asked = (await request.json()) as AnnouncementAsked;
  const row = announcement({
    id: id === undefined ? world.announcements.length : Number(id),
    kind: asked.kind,
    text: asked.text,
    partitions: asked.partitions ?? [],
    on_login: asked.on_login,
    shown_from: asked.shown_from ?? ago(0),
    starts_at: asked.starts_at ?? null,
    ends_at: asked.ends_at ?? null,
  });
  world.announcements = [row, ...world.announcements.filter((item) => item.id !== row.id)];
  return json(row, id === undefined ? 201 : 200);
};

const listed: Handler = (request) => {
  const asked = new URL(request.url).searchParams;
  const all = asked.get("state") === "ended" ? sessions.ended() : sessions.everybodys();
  const items = all.filter(({ owner, name }) => `${owner} ${name}`.includes(asked.get("query") ?? ""));
  return json({ items, next: null, as_of: ago(2), use_unknown_since: null });
};

const setLimit: Handler = async (request, [, name], world) => {
  const [known] = limits(world.limitVersion).items;
  const there = name === known?.name ? world.limitVersion : 0;
  if (request.headers.get("if-match") !== `"${there}"`) {
    return refuse(412, "changed_meanwhile", "admin has changed these limits in the meantime; your change was not saved.");
  }
  return json({ ...known, ...((await request.json()) as object) });
};

export const ADMIN_ROUTES: Route[] = [
  ["GET", /^admin\/sessions$/, listed],
  [
    "POST",
    /^admin\/sessions\/(stop|extend|message)$/,
    async (request, [action = ""]) => json({ results: sessions.results(action, (await request.json()) as { sessions: string[] }) }),
  ],
  ["GET", /^admin\/announcements$/, (_request, _parts, world) => json({ items: world.announcements })],
  ["POST", /^admin\/announcements$/, saved],
  ["PUT", /^admin\/announcements\/(\d+)$/, saved],
  [
    "POST",
    /^admin\/announcements\/affected$/,
    () =>
      json({
        items: [{ id: "bertfinetune", name: "bert-finetune", owner: "alice", partition: "sxm2", ends_at: null }],
        jobs: [{ id: "4713", name: "train", owner: "bob", partition: "sxm2", running: true, ends_at: ahead(7200) }],
        jobs_total: 1,
      }),
  ],
  [
    "DELETE",
    /^admin\/announcements\/(\d+)$/,
    (_request, [id], world) => {
      world.announcements = world.announcements.map((item) =>
        item.id === Number(id) ? { ...item, state: "over", withdrawn_at: ago(0) } : item,
      );
      return found(world.announcements.find((item) => item.id === Number(id)));
    },
  ],
  ["GET", /^admin\/health$/, () => json(health())],
  ["GET", /^admin\/people$/, (request) => json(everybody(new URL(request.url).searchParams.get("query") ?? ""))],
  ["GET", /^admin\/groups$/, () => json(groups())],
  ["GET", /^admin\/nodes\/([^/]+)$/, (_request, [name]) => json(nodeHealth(name ?? ""))],
  ["GET", /^admin\/people\/([^/]+)$/, (_request, [username]) => json(person(username ?? ""))],
  ["GET", /^admin\/limits\/slurm$/, () => json(slurmLimits())],
  ["GET", /^admin\/limits$/, (_request, _parts, world) => json(limits(world.limitVersion))],
  ["PUT", /^admin\/limits\/(user|group)\/([^/]+)$/, setLimit],
  ["DELETE", /^admin\/limits\/(user|group)\/([^/]+)$/, () => json({ ...limits(), items: [] })],
  ["GET", /^messages$/, () => json({ items: [] })],
  ["GET", /^admin\/nodes$/, () => json({ items: nodes(), as_of: ago(3) })],
  ["POST", /^admin\/nodes\/drain$/, async (request) => json({ ...((await request.json()) as { nodes: string[] }), told: ["bob"] })],
  ["POST", /^admin\/nodes\/resume$/, async (request) => json({ ...((await request.json()) as { nodes: string[] }), told: [] })],
  ["GET", /^admin\/reservations$/, () => json({ items: reservations() })],
  ["POST", /^admin\/reservations$/, () => json({ items: reservations() }, 201)],
  ["PATCH", /^admin\/reservations\/([^/]+)$/, () => json({ items: reservations() })],
  ["DELETE", /^admin\/reservations\/([^/]+)$/, () => json({ items: [] })],
  ["GET", /^admin\/jobs$/, (_request, _parts, world) => json(world.queueIsKnown ? { items: queue(), total: queue().length, as_of: ago(2) } : { items: [], total: 0, as_of: null })],
  [
    "POST",
    /^admin\/jobs\/actions$/,
    async (request) => {
      const { jobs } = (await request.json()) as { jobs: string[] };
      return json({ results: jobs.map((id) => ({ id, ok: id !== "4713", message: id === "4713" ? "It has ended." : "" })) });
    },
  ],
];
