// The portal's API as one function from Request to Response, over an invented world. Used by `npm run dev:mock`.
import type { ImageAsked, Preset, SessionAsked, ShareAsked } from "../src/api/types";
import { ADMIN_ROUTES } from "./admin";
import { found, json, refuse, stream, type Route } from "./answers";
import { audit } from "./audit";
import { check } from "./check";
import * as cluster from "./cluster";
import { catalogue } from "./images";
import { jobRoutes } from "./jobRoutes";
import { fileRoutes } from "./files";
import { deliveries, delivery, notifications } from "./notifications";
import { LOG } from "./sessions";
import { me, site } from "./site";
import { modules, offers } from "./software";
import { differentCells, previewCells, templates } from "./templates";
import { ago } from "./units";
import * as usage from "./usage";
import { World, type Scene } from "./world";

const SLOW_MS = 60_000;

export function makeHandler(world = new World()): (request: Request) => Promise<Response> {
  const files = fileRoutes();
  return async (request) => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^.*\/api\//, "");
    if (path === "mock") {
      world.setScene(((await request.json()) as { scene: Scene }).scene);
      return json({ scene: world.scene });
    }
    if (world.scene === "expired") return refuse(401, "not_authenticated", "You are not logged in.");
    if (world.scene === "slow") await new Promise((done) => setTimeout(done, SLOW_MS));
    if (world.scene === "failing" && !/^(me|site|events)$/.test(path)) {
      return refuse(503, "slurm_unavailable", "Slurm does not answer.", "Running sessions continue. Try again in a minute.");
    }
    for (const [method, pattern, handler] of [...ROUTES, ...files]) {
      const match = method === request.method ? pattern.exec(path) : null;
      if (match !== null) return handler(request, match.slice(1).map(decodeURIComponent), world);
    }
    return refuse(404, "not_found", "There is nothing at this address.");
  };
}

type PresetAsked = Omit<Preset, "id">;
type TimeAsked = { walltime_s: number };

export const LAB_FILES = ["main.1a.js?v=1a", "jlab_core.2b.js?v=2b"].map((name) => `/services/portal/jupyterlab/0f/${name}`);

const moreTime = [1800, 3600, 14_400].map((seconds) => ({
  seconds,
  why_not: seconds > 3600 ? "You may add 2 h to one session in total; 1 h of that is left." : null,
}));

const testMessage = () => delivery({ id: 9, event: "test", session_id: null, title: "Test message", at: ago(0), state: "pending" });

function changed(channel: "mail" | "webhook", asked: unknown) {
  const state = notifications();
  const { events } = asked as Pick<typeof state.mail, "events">;
  return { ...state, [channel]: { ...state[channel], events, ...(channel === "webhook" && { changed_at: ago(0) }) } };
}

const ROUTES: Route[] = [
  ["GET", /^me$/, (_request, _parts, world) => json({ ...me, username: world.username })],
  ["GET", /^site$/, (_request, _parts, world) => json({ ...site(), slurm: world.slurm() })],
  ["GET", /^notifications$/, () => json(notifications())],
  ["GET", /^notifications\/log$/, () => json({ items: deliveries() })],
  ["PUT", /^notifications\/mail$/, async (request) => json(changed("mail", await request.json()))],
  ["PUT", /^notifications\/webhook$/, async (request) => json(changed("webhook", await request.json()))],
  ["DELETE", /^notifications\/webhook$/, () => new Response(null, { status: 204 })],
  ["POST", /^notifications\/[^/]+\/test$/, () => json(testMessage(), 202)],
  ["GET", /^options$/, (_request, _parts, world) => json(world.options())],
  ["GET", /^events$/, (request, _parts, world) => stream(request, world.page)],
  ["POST", /^sessions\/check$/, async (request, _parts, world) => json(check((await request.json()) as SessionAsked, world))],
  ["GET", /^sessions$/, listSessions],
  ["POST", /^sessions$/, startSession],
  ["GET", /^sessions\/([^/]+)$/, (_request, [id], world) => found(world.sessions.find((item) => item.id === id))],
  ["DELETE", /^sessions\/([^/]+)$/, (_request, [id], world) => found(world.stop(id ?? ""), 202)],
  ["GET", /^sessions\/([^/]+)\/events$/, watchSession],
  ["GET", /^sessions\/([^/]+)\/log$/, readLog],
  ["GET", /^sessions\/([^/]+)\/time-limit$/, () => json({ choices: moreTime })],
  ["GET", /^sessions\/([^/]+)\/shares$/, (_request, _parts, world) => json(world.shares)],
  ["POST", /^sessions\/([^/]+)\/shares$/, async (request, _parts, world) => json(world.share((await request.json()) as ShareAsked))],
  ["DELETE", /^sessions\/([^/]+)\/shares\/(\d+)$/, (_request, [, id], world) => removed(() => world.unshare(Number(id)))],
  ["GET", /^shares$/, (_request, _parts, world) => json({ items: world.shared })],
  ["POST", /^shares\/(\d+)\/open$/, () => refuse(404, "not_found", "This share has ended, or it is not for you.", "Ask the session's owner to share it with you again.")],
  ["POST", /^sessions\/([^/]+)\/snooze$/, (_request, [id = ""], world) => found(world.change(id, { idle: null }))],
  ["PUT", /^sessions\/([^/]+)\/end-seen$/, async (request, [id = ""], world) => found(world.setSeen(id, ((await request.json()) as { seen: boolean }).seen))],
  ["PUT", /^sessions\/([^/]+)\/time-limit$/, async (request, [id = ""], world) => found(world.setTime(id, (await request.json()) as TimeAsked))],
  ["GET", /^environments\/([^/]+)\/lab-files$/, (_request, [name]) => json({ urls: name === "base" ? LAB_FILES : [] })],
  ["GET", /^presets$/, (_request, _parts, world) => json({ items: world.presets })],
  ["POST", /^presets$/, async (request, _parts, world) => json(world.savePreset((await request.json()) as PresetAsked))],
  ["PUT", /^presets\/([^/]+)$/, async (request, [id = ""], world) => found(world.renamePreset(Number(id), (await request.json()) as PresetAsked))],
  ["DELETE", /^presets\/([^/]+)$/, (_request, [id = ""], world) => removed(() => world.removePreset(Number(id)))],
  ["GET", /^apps$/, () => json({ items: offers() })],
  ["GET", /^modules$/, () => json({ items: modules, as_of: ago(60) })],
  ["GET", /^images$/, (_request, _parts, world) => json(imagePage(world))],
  ["POST", /^logout$/, () => json({ location: "/hub/logout" })],
  ["POST", /^images$/, async (request, _parts, world) => json(world.images.add((await request.json()) as ImageAsked), 202)],
  ["DELETE", /^images\/([^/]+)$/, (_request, [id = ""], world) => removed(() => world.images.remove(id))],
  ["GET", /^image-catalogue$/, () => json({ items: catalogue })],
  ["GET", /^ngc$/, (_request, _parts, world) => json(world.images.key)],
  ["PUT", /^ngc$/, storeKey],
  ["DELETE", /^ngc$/, (_request, _parts, world) => removed(() => world.images.forget())],
  ["GET", /^environments$/, (_request, _parts, world) => json({ items: world.environments })],
  ["POST", /^environments\/([^/]+)\/install$/, installEnvironment],
  ["GET", /^templates$/, () => json({ items: templates })],
  ["GET", /^templates\/copies$/, (_request, _parts, world) => json({ items: world.copies })],
  ["GET", /^templates\/([^/]+)\/difference$/, (_request, [id = ""]) => json({ id, cells: differentCells })],
  ["POST", /^templates\/([^/]+)\/copy$/, async (request, [id = ""], world) => json(world.settle(id, (await request.json()) as { how: string }))],
  ["GET", /^templates\/([^/]+)\/preview$/, (_request, [id]) => json({ id, cells: previewCells })],
  ["POST", /^templates\/([^/]+)\/open$/, () => json({ url: "/user/alice/session/lab/tree/templates" })],
  ["GET", /^audit$/, listAudit],
  ["GET", /^cluster$/, () => json(cluster.snapshot())],
  ["GET", /^cluster\/events$/, (request, _parts, world) => stream(request, world.page, [["mine", { nodes: cluster.mine }, 1]])],
  ["GET", /^cluster\/jobs$/, (request, _parts, world) => json(cluster.jobs(new URL(request.url).searchParams, world.queueIsKnown))],
  ["GET", /^cluster\/jobs\/(\d+)$/, (_request, [id]) => found(cluster.job(Number(id)))],
  ["GET", /^cluster\/nodes\/([^/]+)$/, (_request, [name = ""]) => found(cluster.node(name))],
  ["GET", /^cluster\/history$/, (request) => json(cluster.history(new URL(request.url).searchParams.get("span") ?? "day"))],
  ["GET", /^usage$/, (request, _parts, world) => json(usage.mine(new URL(request.url).searchParams, world.scene))],
  ["GET", /^admin\/usage$/, (request, _parts, world) => json(usage.report(new URL(request.url).searchParams, world.scene))],
  ["GET", /^jobs\/([^/]+)\/gpus$/, () => json(usage.gpuTotals())],
  ["GET", /^sessions\/([^/]+)\/usage$/, () => json(usage.sessionUse())],
  ["GET", /^announcements$/, (_request, _parts, world) => json({ items: world.announcements.filter(({ state }) => state === "shown") })],
  ...ADMIN_ROUTES,
  ...jobRoutes,
];

function listSessions(request: Request, _parts: string[], world: World): Response {
  const query = new URL(request.url).searchParams;
  const state = query.get("state");
  const before = query.get("before");
  const all = world.sessions.filter(
    (item) =>
      (item.state === "ended") === (state !== "active") &&
      (state !== "unseen" || item.end?.seen === false) &&
      (before === null || item.created_at < before),
  );
  const items = all.slice(0, Number(query.get("limit") ?? 50));
  return json({ items, next: all.length > items.length ? (items.at(-1)?.created_at ?? null) : null, as_of: ago(1) });
}

async function startSession(request: Request, _parts: string[], world: World): Promise<Response> {
  const asked = (await request.json()) as SessionAsked;
  const { problems } = check(asked, world);
  if (problems.length > 0) {
    const message = problems.map((problem) => problem.message).join(" ");
    return refuse(422, "policy_refused", message, "Correct the marked fields and send it again.", problems);
  }
  return json(world.start(asked), 202);
}

function watchSession(request: Request, [id = ""]: string[], world: World): Response {
  const watchers = world.watchers.get(id) ?? new Set();
  world.watchers.set(id, watchers);
  const past = (world.events.get(id) ?? []).map((event) => ["progress", event, event.seq] as const);
  const over = world.sessions.find((item) => item.id === id)?.state === "ended";
  return stream(request, watchers, over ? [...past, ["end", {}, 0] as const] : past);
}

function readLog(request: Request): Response {
  const query = new URL(request.url).searchParams;
  const asked = Number(query.get("offset") ?? 0);
  const offset = asked < 0 ? Math.max(0, LOG.length + asked) : asked;
  const text = LOG.slice(offset, offset + Number(query.get("limit") ?? 65_536));
  return json({ text, offset, next_offset: offset + text.length, size: LOG.length });
}

function imagePage(world: World) {
  const quota = { total_mb: 200_000, free_mb: 84_000, own: true };
  const items = world.scene === "empty" ? [] : world.images.items;
  return { items, folder: "~/images", site_folder: "/shared/images", quota };
}

async function storeKey(request: Request, _parts: string[], world: World): Promise<Response> {
  const { key } = (await request.json()) as { key: string };
  const wrong = "The registry refused this key.";
  if (key.startsWith("wrong")) return refuse(422, "invalid_request", wrong, "", [{ field: "key", message: wrong }]);
  return json(world.images.store(key));
}

function removed(remove: () => void): Response {
  remove();
  return new Response(null, { status: 204 });
}

function installEnvironment(_request: Request, [name = ""]: string[], world: World): Response {
  world.install(name);
  return found(world.environments.find((item) => item.name === name), 202);
}

function listAudit(request: Request): Response {
  const query = new URL(request.url).searchParams;
  const before = Number(query.get("before") ?? Infinity);
  const all = audit()
    .filter(({ actor, action }) => actor.includes(query.get("actor") ?? "") && action.includes(query.get("action") ?? ""))
    .filter(({ id }) => id < before);
  const items = all.slice(0, Number(query.get("limit") ?? 50));
  return json({ items, next: all.length > items.length ? (items.at(-1)?.id ?? null) : null });
}
