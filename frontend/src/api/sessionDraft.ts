// The state of the new-session form, and its three other representations: the page's query (a launch URL that can be
// shared), the body for the API, and an earlier session to start again. `null` means "as policy says" throughout.
import { formatDuration, parseDuration } from "~/lib/duration";
import { trimmed } from "~/lib/path";
import { broughtBy } from "./ratio";
import type { App, Options, Session, SessionAsked } from "./types";

export type Time = { kind: "for"; seconds: number } | { kind: "until"; at: string };

export interface Draft {
  app: string | null;
  environment: string | null;
  /** The app's options by name, as text. Missing: the option's default. */
  options: Record<string, string>;
  /** Environment modules, in loading order. */
  modules: string[];
  name: string;
  gpus: number | null;
  gpuType: string | null;
  /** The least memory of each GPU in GB, as links and presets may ask for it instead of a whole type. */
  gpuMemoryGb: number | null;
  /** null: follows the GPUs. */
  cpus: number | null;
  memoryMib: number | null;
  time: Time | null;
  partition: string | null;
  account: string | null;
  qos: string;
  reservation: string;
  /** Shards of one GPU instead of whole GPUs. */
  shards: number | null;
  /** Percent of one GPU, shared by MPS, instead of whole GPUs. */
  mps: number | null;
  constraint: string;
  licenses: string;
  wckey: string;
  exclusive: boolean;
  nodes: number | null;
  /** A notebook of the gallery, opened when the session is ready. */
  template: string | null;
  /** "new": that notebook in the site's current version, beside the user's own. */
  version: string | null;
  /** A file or folder of the home, opened when JupyterLab is ready. */
  open: string | null;
  /** The preset that the form was filled in from. */
  preset: string | null;
  /** A node that failed the session before this one. */
  avoid: string | null;
}

export const EMPTY: Draft = {
  app: null,
  environment: null,
  options: {},
  modules: [],
  name: "",
  gpus: null,
  gpuType: null,
  gpuMemoryGb: null,
  cpus: null,
  memoryMib: null,
  time: null,
  partition: null,
  account: null,
  qos: "",
  reservation: "",
  shards: null,
  mps: null,
  constraint: "",
  licenses: "",
  wckey: "",
  exclusive: false,
  nodes: null,
  template: null,
  version: null,
  open: null,
  preset: null,
  avoid: null,
};

const OPTION = "option.";

export function readDraft(query: URLSearchParams): Draft {
  return {
    app: text(query, "app"),
    environment: text(query, "environment"),
    options: readOptions(query),
    modules: [...new Set(query.getAll("module"))].filter((name) => name !== ""),
    name: text(query, "name") ?? "",
    gpus: whole(query, "gpus"),
    gpuType: text(query, "gpu_type"),
    gpuMemoryGb: whole(query, "gpu_memory_gb") || null,
    cpus: whole(query, "cpus"),
    memoryMib: whole(query, "memory_mib"),
    time: readTime(query),
    partition: text(query, "partition"),
    account: text(query, "account"),
    qos: text(query, "qos") ?? "",
    reservation: text(query, "reservation") ?? "",
    shards: whole(query, "shards") || null,
    mps: whole(query, "mps") || null,
    constraint: text(query, "constraint") ?? "",
    licenses: text(query, "licenses") ?? "",
    wckey: text(query, "wckey") ?? "",
    exclusive: text(query, "exclusive") === "true",
    nodes: whole(query, "nodes"),
    template: text(query, "template"),
    version: text(query, "version"),
    open: text(query, "open"),
    preset: text(query, "preset"),
    avoid: text(query, "avoid"),
  };
}

/** Only what differs from the policy's own choice, so that a launch URL stays short and readable. */
export function writeDraft(draft: Draft): URLSearchParams {
  const pairs: [string, string | number | null][] = [
    ["app", draft.app],
    ["environment", draft.environment],
    ...Object.entries(draft.options).map(([name, value]): [string, string] => [OPTION + name, value]),
    ...draft.modules.map((name): [string, string] => ["module", name]),
    ["name", draft.name],
    ["gpus", draft.gpus],
    ["gpu_type", draft.gpuType],
    ["gpu_memory_gb", draft.gpuMemoryGb],
    ["cpus", draft.cpus],
    ["memory_mib", draft.memoryMib],
    ["time", draft.time?.kind === "for" ? formatDuration(draft.time.seconds) : null],
    ["until", draft.time?.kind === "until" ? draft.time.at : null],
    ["partition", draft.partition],
    ["account", draft.account],
    ["qos", draft.qos],
    ["reservation", draft.reservation],
    ["shards", draft.shards],
    ["mps", draft.mps],
    ["constraint", draft.constraint],
    ["licenses", draft.licenses],
    ["wckey", draft.wckey],
    ["exclusive", draft.exclusive ? "true" : null],
    ["nodes", draft.nodes],
    ["template", draft.template],
    ["version", draft.version],
    ["open", draft.open],
    ["preset", draft.preset],
    ["avoid", draft.avoid],
  ];
  // An option that was cleared differs from one that was left alone.
  const kept = pairs.filter(([name, value]) => value !== null && (value !== "" || name.startsWith(OPTION)));
  return new URLSearchParams(kept.map(([name, value]) => [name, String(value)]));
}

/** The request for a session; null values are left to the policy. `now` (ms) turns "until" into a duration. */
export function askOf(draft: Draft, options: Pick<Options, "defaults" | "apps" | "reservations">, now: number): SessionAsked {
  const name = draft.app ?? options.defaults.app;
  const chosenOptions = optionsOf(draft, options.apps.find((app) => app.name === name));
  const resources = {
    partition: partitionAsked(draft, options),
    account: draft.account,
    qos: draft.qos.trim() || null,
    reservation: draft.reservation.trim() || null,
    shards: draft.shards,
    mps_percent: draft.mps,
    constraint: draft.constraint || null,
    licenses: draft.licenses || null,
    wckey: draft.wckey || null,
    exclusive: draft.exclusive || null,
    nodes: draft.nodes,
    gpus: draft.gpus,
    gpu_type: draft.gpus === 0 && draft.shards === null && draft.mps === null ? null : draft.gpuType,
    gpu_memory_gb: draft.gpuMemoryGb,
    cpus: draft.cpus,
    memory_mib: draft.memoryMib,
    walltime_s: walltimeOf(draft.time, now),
  };
  return {
    app: name,
    ...given({ name: draft.name.trim() || null, environment: draft.environment }),
    ...(Object.keys(chosenOptions).length > 0 ? { options: chosenOptions } : {}),
    ...(draft.modules.length > 0 ? { modules: draft.modules } : {}),
    ...given({ avoid: draft.avoid }),
    resources: given(resources),
  };
}

/** The partition to request: the chosen one, or one of the reservation's if the default lacks its nodes. */
export function partitionAsked({ partition, reservation }: Draft, { defaults, reservations }: Pick<Options, "defaults" | "reservations">): string | null {
  const of = reservations.find(({ name }) => name === reservation)?.partitions ?? [];
  const usual = defaults.resources?.partition;
  if (partition !== null || of.length === 0 || (usual !== undefined && of.includes(usual))) return partition;
  return of[0] ?? null;
}

/** What the form was filled in from, which the session remembers. */
export const basisOf = ({ template, preset }: Pick<Draft, "template" | "preset">) => given({ template, preset });

/** Only the app's own options: the URL may have been written for another app. */
function optionsOf(draft: Draft, app: App | undefined): Record<string, string | boolean> {
  const asked = app?.options.filter(({ name }) => name in draft.options) ?? [];
  return Object.fromEntries(
    asked.map(({ name, kind }) => {
      const value = draft.options[name] ?? "";
      return [name, kind === "bool" ? value === "true" : kind === "folder" || kind === "file" ? trimmed(value) : value];
    }),
  );
}

/** The session's time limit in s; null if it is left to the policy or no end is chosen yet. */
export function walltimeOf(time: Time | null, now: number): number | null {
  if (time === null) return null;
  if (time.kind === "for") return time.seconds;
  const end = Date.parse(time.at);
  return Number.isNaN(end) ? null : Math.floor((end - now) / 60_000) * 60;
}

/** The form for an earlier session's request; cores and memory stay linked to the GPUs if they match the ratio. */
export function draftOf(session: Session, options: Pick<Options, "policy" | "apps"> | undefined): Draft {
  const { resources } = session;
  const app = options?.apps.find(({ name }) => name === session.app);
  const linked = options === undefined ? null : broughtBy(resources.gpus, app?.resources ?? null, options.policy);
  return {
    ...EMPTY,
    app: session.app,
    environment: session.environment,
    options: Object.fromEntries(Object.entries(session.options).map(([name, value]) => [name, String(value)])),
    modules: session.modules,
    name: session.name,
    gpus: resources.shards + resources.mps_percent > 0 ? null : resources.gpus,
    gpuType: resources.gpu_type,
    cpus: linked?.cpus === resources.cpus ? null : resources.cpus,
    memoryMib: linked?.memoryMib === resources.memory_mib ? null : resources.memory_mib,
    time: { kind: "for", seconds: resources.walltime_s },
    partition: resources.partition,
    account: resources.account,
    qos: resources.qos ?? "",
    reservation: resources.reservation ?? "",
    shards: resources.shards || null,
    mps: resources.mps_percent || null,
    constraint: resources.constraint ?? "",
    licenses: resources.licenses ?? "",
    wckey: resources.wckey ?? "",
    exclusive: resources.exclusive,
    nodes: resources.nodes === 1 ? null : resources.nodes,
    preset: session.preset,
  };
}

/** The form for a request, such as a preset's. */
export function draftOfAsked(asked: SessionAsked): Draft {
  const wanted = asked.resources;
  return {
    ...EMPTY,
    app: asked.app,
    environment: asked.environment ?? null,
    options: Object.fromEntries(Object.entries(asked.options ?? {}).map(([name, value]) => [name, String(value)])),
    modules: asked.modules ?? [],
    name: asked.name ?? "",
    gpus: wanted.gpus ?? null,
    gpuType: wanted.gpu_type ?? null,
    gpuMemoryGb: wanted.gpu_memory_gb ?? null,
    cpus: wanted.cpus ?? null,
    memoryMib: wanted.memory_mib ?? null,
    time: wanted.walltime_s == null ? null : { kind: "for", seconds: wanted.walltime_s },
    partition: wanted.partition ?? null,
    account: wanted.account ?? null,
    qos: wanted.qos ?? "",
    reservation: wanted.reservation ?? "",
    shards: wanted.shards || null,
    mps: wanted.mps_percent || null,
    constraint: wanted.constraint ?? "",
    licenses: wanted.licenses ?? "",
    wckey: wanted.wckey ?? "",
    exclusive: wanted.exclusive ?? false,
    nodes: wanted.nodes ?? null,
  };
}

function readOptions(query: URLSearchParams): Record<string, string> {
  const pairs = [...query].filter(([name]) => name.startsWith(OPTION) && name.length > OPTION.length);
  return Object.fromEntries(pairs.map(([name, value]) => [name.slice(OPTION.length), value]));
}

function readTime(query: URLSearchParams): Time | null {
  const until = text(query, "until");
  if (until !== null) return { kind: "until", at: until };
  const seconds = parseDuration(text(query, "time") ?? "");
  return seconds === null ? null : { kind: "for", seconds };
}

function text(query: URLSearchParams, name: string): string | null {
  return query.get(name) || null;
}

function whole(query: URLSearchParams, name: string): number | null {
  const value = query.get(name);
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

function given<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(kept) as { [K in keyof T]?: NonNullable<T[K]> };
}
