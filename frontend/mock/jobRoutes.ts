// The portal's API of batch jobs over the invented ones.
import type { JobActionsAsked, JobForm, JobRow, JobSubmit } from "../src/api/jobTypes";
import { json, refuse, type Route } from "./answers";
import * as data from "./jobs";
import { ahead } from "./units";
import type { World } from "./world";

const OVER = ["COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL"];
export const jobRoutes: Route[] = [
  ["GET", /^jobs$/, list],
  ["GET", /^jobs\/submissions$/, () => json({ items: [] })],
  ["GET", /^jobs\/last-use$/, lastUse],
  ["GET", /^jobs\/presets$/, () => json({ items: data.presets })],
  ["POST", /^jobs\/compose$/, composed],
  ["POST", /^jobs\/parse$/, parse],
  ["POST", /^jobs\/check$/, check],
  ["POST", /^jobs\/actions$/, act],
  ["POST", /^jobs$/, submit],
  ["GET", /^jobs\/([^/]+)$/, (_request, [id], world) => one(id, world)],
  ["GET", /^jobs\/([^/]+)\/tasks$/, tasks],
  ["GET", /^jobs\/([^/]+)\/tasks\/(\d+)$/, task],
  ["GET", /^jobs\/([^/]+)\/again$/, again],
  ["GET", /^jobs\/([^/]+)\/use$/, use],
  ["GET", /^jobs\/([^/]+)\/output$/, output],
  ["GET", /^jobs\/([^/]+)\/output\/follow$/, () => new Response("event: end\ndata: {}\n\n", { headers: { "Content-Type": "text/event-stream" } })],
];

function list(request: Request, _parts: string[], world: World): Response {
  const scope = asked(request, "state", "all");
  const query = asked(request, "query", "").toLowerCase();
  const items = world.jobs
    .filter(({ state }) => scope === "all" || OVER.includes(state) === (scope === "ended"))
    .filter((row) => `${row.id} ${row.name} ${row.partition}`.toLowerCase().includes(query));
  return json({ items, next: null, as_of: new Date().toISOString() });
}

function lastUse(request: Request): Response {
  const fit = { jobs: 3, peak_mib: 3 * 1024, memory_mib: 5 * 1024, longest_s: 2400, walltime_s: 3600 };
  const fits: Record<string, typeof fit | object> = { "nightly-eval": fit, "big-batch": { ...fit, peak_mib: null, memory_mib: null } };
  return json({ fit: fits[asked(request, "name", "")] ?? null });
}

function one(id: string | undefined, world: World): Response {
  const row = [...world.jobs, ...data.tasks()].find((job) => job.id === id);
  return row === undefined ? refuse(404, "not_found", "There is no such job.") : json(data.detail(row));
}

function task(_request: Request, [id, number]: string[]): Response {
  const row = data.tasks().find((item) => item.id === `${id}_${number}`);
  if (row === undefined) return refuse(404, "not_found", `Job ${id} has no task ${number}.`);
  const { stdout, stderr } = data.detail(row);
  return json({ ...row, stdout, stderr });
}

function tasks(request: Request): Response {
  const after = Number(asked(request, "after", "-1"));
  const limit = Number(asked(request, "limit", "100"));
  const states: Record<string, string> = { pending: "PENDING", running: "RUNNING", ended: "COMPLETED", failed: "FAILED" };
  const state = states[asked(request, "state", "")];
  const all = data.tasks().filter((row) => state === undefined || row.state === state);
  const number = (row: JobRow | undefined) => Number(row?.id.split("_")[1]);
  const rest = all.filter((row) => number(row) > after);
  const items = rest.slice(0, limit);
  return json({ items, next: rest.length > limit ? number(items.at(-1)) : null });
}

function use(_request: Request, [id]: string[], world: World): Response {
  const row = world.jobs.find((job) => job.id === id);
  return row === undefined ? refuse(404, "not_found", "There is no such job.") : json(data.use(row));
}

function again(_request: Request, [id]: string[]): Response {
  const corrections =
    id === "8090" ? [{ field: "memory_mib_per_node", from: 10 * 1024, to: 16 * 1024, why: "It used all of the memory that it had asked for." }] : [];
  const form = data.form({ name: "big-batch", nodes: 2, memory_mib_per_node: 16 * 1024 });
  return json({ form, script: data.compose(form, ["#SBATCH --nice=5"]), kept: ["#SBATCH --nice=5"], workdir: null, corrections });
}

async function composed(request: Request): Promise<Response> {
  const { form, kept } = (await request.json()) as { form: JobForm; kept: string[] };
  return json({ script: data.compose(form, kept) });
}

async function parse(request: Request): Promise<Response> {
  const { script } = (await request.json()) as { script: string };
  if (script.includes("--nodes=many")) return refuse(422, "script_unreadable", "Line 3: “many” is no number of nodes.");
  return json(data.parse(script));
}

async function check(request: Request, _parts: string[], world: World): Promise<Response> {
  const { form } = data.parse(((await request.json()) as JobSubmit).script);
  if (world.scene === "down") return down();
  const problems = form.nodes > 6 ? [{ field: "nodes", message: "sxm2 has 6 nodes. Ask for at most 6." }] : [];
  return json({ ok: problems.length === 0, problems, cautions: [], starts_at: ahead(world.jobStartsInS), nodes: "node[001-002]", text: "" });
}

async function submit(request: Request, _parts: string[], world: World): Promise<Response> {
  if (world.scene === "down") return down();
  const { form } = data.parse(((await request.json()) as JobSubmit).script);
  const job = data.row({ id: String(9000 + world.jobs.length), name: form.name, nodes: form.nodes, state: "PENDING", started_at: null, node_list: "" });
  world.jobs = [job, ...world.jobs];
  return json(data.detail(job), 202);
}

async function act(request: Request, _parts: string[], world: World): Promise<Response> {
  const { ids, action } = (await request.json()) as JobActionsAsked;
  const refused = (id: string) => id === "8101" && action === "time_limit";
  if (action === "cancel") world.jobs = world.jobs.map((row): JobRow => (ids.includes(row.id) ? { ...row, state: "CANCELLED" } : row));
  return json({ results: ids.map((id) => ({ id, ok: !refused(id), message: refused(id) ? "It would be longer than before." : "" })) });
}

function output(request: Request): Response {
  const text = data.OUTPUT;
  const wanted = Number(asked(request, "offset", "0"));
  const offset = wanted < 0 ? Math.max(0, text.length + wanted) : wanted;
  const piece = text.slice(offset, offset + Number(asked(request, "limit", "65536")));
  return json({ text: piece, offset, next_offset: offset + piece.length, size: text.length, path: "/home/alice/slurm.out" });
}

const asked = (request: Request, name: string, otherwise: string) => new URL(request.url).searchParams.get(name) ?? otherwise;

const down = () => refuse(503, "slurm_unavailable", "Slurm does not answer.", "Nothing was submitted. Try again in a minute.");
