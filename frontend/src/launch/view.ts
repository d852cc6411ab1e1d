// The draft applied to the site: which app, environment and partition it means, what the session gets, and which
// choices are disabled and why. Messages beside fields come from here; the portal's check has the last word.
import { broughtBy, followed, partOf } from "~/api/ratio";
import { partitionAsked, walltimeOf, type Draft } from "~/api/sessionDraft";
import type { App, GpuPool, Options, Partition, Policy, Resources } from "~/api/types";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { mostMps, mostShards } from "~/ui/siteAsked";

type KnownEnvironment = Options["environments"][number];

export interface View {
  app: App | undefined;
  environments: KnownEnvironment[];
  environment: KnownEnvironment | undefined;
  partition: Partition | undefined;
  /** The GPUs to choose from: of the chosen type, or all of the partition. */
  pool: GpuPool | undefined;
  anyPool: GpuPool | undefined;
  resources: Resources;
  linked: boolean;
  mostGpus: number;
  maxWalltime: number;
}

export function viewOf(draft: Draft, options: Options, now: number): View {
  const { policy, defaults } = options;
  const app = options.apps.find(({ name }) => name === (draft.app ?? defaults.app)) ?? options.apps[0];
  const usual = app?.resources ?? defaults.resources ?? nothingKnown(options);
  const environments = options.environments.filter(({ name }) => app?.environments.includes(name) ?? false);
  const wanted = draft.environment ?? defaults.environment;
  const environment = environments.find(({ name }) => name === wanted) ?? (draft.environment === null ? environments[0] : undefined);
  const partition = partitionOf(draft, options, usual.partition);
  const anyPool = poolOfAll(partition);
  const shards = draft.shards ?? 0;
  const mps_percent = draft.mps ?? 0;
  const part = shards + mps_percent > 0;
  const whole = draft.exclusive || partition?.whole_nodes === true;
  const usualGpus = part ? 0 : whole ? (partition?.per_node.gpus ?? usual.gpus) : Math.min(usual.gpus, partition?.per_node.gpus ?? usual.gpus);
  const gpus = draft.gpus ?? usualGpus;
  const link =
    part
      ? partOf(shards || mps_percent, shards > 0 ? mostShards(partition, draft.gpuType) : mostMps(partition, draft.gpuType), policy)
      : whole && partition !== undefined
        ? { cpus: partition.per_node.cpus, memoryMib: partition.per_node.memory_mib }
        : broughtBy(gpus, app?.resources ?? null, policy, partition?.per_node);
  const maxWalltime = Math.min(policy.max_walltime_s, partition?.max_walltime_s ?? Infinity);
  return {
    app,
    environments,
    environment,
    partition,
    pool: partition?.gpus.find(({ type }) => type === draft.gpuType) ?? anyPool,
    anyPool,
    linked: draft.cpus === null && draft.memoryMib === null,
    mostGpus: partition?.per_node.gpus ?? 0,
    maxWalltime,
    resources: {
      ...usual,
      partition: partition?.name ?? draft.partition ?? "",
      account: draft.account ?? usual.account,
      nodes: draft.nodes ?? 1,
      gpus,
      gpu_type: gpus === 0 && !part ? null : (draft.gpuType ?? onlyType(partition)),
      shards,
      mps_percent,
      exclusive: whole,
      constraint: draft.constraint || null,
      licenses: draft.licenses || null,
      cpus: draft.cpus ?? link.cpus,
      memory_mib: draft.memoryMib ?? link.memoryMib,
      walltime_s: walltimeOf(draft.time, now) ?? Math.min(usual.walltime_s, maxWalltime),
    },
  };
}

/** Placeholder while the portal has no snapshot of Slurm yet and so cannot say what it would fill in. */
function nothingKnown({ policy }: Options): Resources {
  const { cpus_per_gpu: cpus, memory_mib_per_gpu: memory_mib, max_walltime_s } = policy;
  const walltime_s = Math.min(8 * 3600, max_walltime_s);
  const left = { account: null, qos: null, reservation: null, gpu_type: null };
  return { partition: "", ...left, nodes: 1, gpus: 1, cpus, memory_mib, walltime_s, shards: 0, mps_percent: 0, exclusive: false };
}

function partitionOf(draft: Draft, options: Options, usual: string): Partition | undefined {
  const { partitions } = options;
  const asked = partitionAsked(draft, options);
  const wanted = asked ?? usual;
  return (
    partitions.find(({ name }) => name === wanted) ??
    (asked === null ? (partitions.find((partition) => partition.default) ?? partitions[0]) : undefined)
  );
}

function onlyType(partition: Partition | undefined): string | null {
  return partition?.gpus.length === 1 ? (partition.gpus[0]?.type ?? null) : null;
}

function poolOfAll(partition: Partition | undefined): GpuPool | undefined {
  if (partition === undefined || partition.gpus.length === 0) return undefined;
  return partition.gpus.reduce(
    (sum, pool) => ({
      type: "",
      total: sum.total + pool.total,
      free: sum.free + pool.free,
      reserved: sum.reserved + pool.reserved,
      down: sum.down + pool.down,
      most_free_on_a_node: Math.max(sum.most_free_on_a_node, pool.most_free_on_a_node),
      shards_per_gpu: Math.max(sum.shards_per_gpu, pool.shards_per_gpu),
      mps_per_gpu: Math.max(sum.mps_per_gpu, pool.mps_per_gpu),
    }),
    { type: "", total: 0, free: 0, reserved: 0, down: 0, most_free_on_a_node: 0, shards_per_gpu: 0, mps_per_gpu: 0 },
  );
}

/** Why a session may not run that many seconds; null if it may. */
export function timeRefused(seconds: number, view: View): string | null {
  if (seconds <= view.maxWalltime) return null;
  return strings.launch.timeTooLong(span(seconds), span(view.maxWalltime), view.partition?.name ?? "");
}

/** Where the numbers of cores and of memory come from. */
export function whyFollows({ resources, partition, app }: View, policy: Policy): string {
  const { gpus, cpus, memory_mib, shards, mps_percent } = resources;
  if (shards + mps_percent > 0) return strings.launch.followsPart;
  const each = [policy.cpus_per_gpu, gb(policy.memory_mib_per_gpu)] as const;
  const given = followed(gpus, policy, partition?.per_node);
  if (given.cpus !== cpus || given.memoryMib !== memory_mib) return strings.apps.usually(app?.title ?? "");
  if (gpus === 0) return strings.launch.followsNone;
  const whole = followed(gpus, policy);
  const cut = given.cpus < whole.cpus || given.memoryMib < whole.memoryMib;
  return cut ? strings.launch.followsNode(...each, partition?.name ?? "") : strings.launch.followsWhy(...each);
}

/** Why an environment cannot be used; null if it can. */
export function environmentRefused(environment: Pick<KnownEnvironment, "installed" | "title"> & { reason?: string | null }, admin: boolean): string | null {
  if (environment.reason != null) return environment.reason;
  if (environment.installed) return null;
  return admin
    ? strings.launch.notInstalledAdmin(environment.title)
    : strings.launch.notInstalledUser(environment.title);
}

/** The API's field name of an app option. */
export const optionField = (name: string) => `options.${name}`;

/** What is wrong with the chosen end; a missing one only counts after an attempt to start. */
export function timeProblem({ time }: Draft, now: number, tried: boolean): string | null {
  if (time?.kind !== "until") return null;
  const seconds = walltimeOf(time, now);
  if (seconds === null) return tried ? strings.launch.untilNeeded : null;
  return seconds <= 0 ? strings.launch.untilPast : null;
}
