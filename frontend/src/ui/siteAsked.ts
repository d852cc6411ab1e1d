// What a session or job asks for besides sizes, in Slurm's own notations. Pure: values in, values out.
import type { Partition, Resources } from "~/api/types";
import { strings } from "~/strings/en";

const words = strings.siteFields;

export interface SiteAsked {
  /** Of one GPU, instead of whole ones; 0: none. */
  shards: number;
  /** Percent of one GPU, shared by MPS, instead of whole ones; 0: none. */
  mps: number;
  /** Features that nodes must have: `a100&nvme`. */
  constraint: string;
  /** `matlab:2,ansys`. */
  licenses: string;
  wckey: string;
  /** Whether it gets whole nodes. */
  exclusive: boolean;
}

export const featuresOf = (constraint: string): string[] => constraint.split("&").filter((name) => name !== "");

export function licensesOf(licenses: string): Map<string, number> {
  const parts = licenses.split(",").filter((part) => part !== "");
  return new Map(
    parts.map((part) => {
      const [name = "", count] = part.split(":");
      return [name, count === undefined ? 1 : Number(count) || 0];
    }),
  );
}

export const writeLicenses = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}:${count}`)
    .join(",");

/** What a session asks for besides sizes, in words, as in portal/policy/formatting.py. */
export function siteWords(asked: Pick<Resources, "nodes" | "exclusive" | "constraint" | "licenses">): string[] {
  return [
    ...(asked.exclusive ? [words.wholeNodes(asked.nodes)] : []),
    ...featuresOf(asked.constraint ?? ""),
    ...licenseWords(asked.licenses ?? ""),
  ];
}

const COUNTED = /^[\w.@-]+(:\d+)?(,[\w.@-]+(:\d+)?)*$/;

/** A script may hold an expression that only Slurm reads, such as `ansys|matlab:2`: that stays as it is. */
export function licenseWords(licenses: string): string[] {
  if (!COUNTED.test(licenses)) return licenses === "" ? [] : [licenses];
  return [...licensesOf(licenses)].map(([name, count]) => words.licensesOf(name, count));
}

type Pools = Pick<Partition, "gpus"> | undefined;

/** Into how many shards a GPU of this type, or of any, can be split; 0: none. */
export const mostShards = (partition: Pools, gpuType: string | null): number => most(partition, gpuType, "shards_per_gpu");

/** What Slurm counts as all of such a GPU when jobs share it by MPS; 0: they cannot. */
export const mostMps = (partition: Pools, gpuType: string | null): number => most(partition, gpuType, "mps_per_gpu");

function most(partition: Pools, gpuType: string | null, count: "shards_per_gpu" | "mps_per_gpu"): number {
  const pools = (partition?.gpus ?? []).filter(({ type }) => gpuType === null || type === gpuType);
  return Math.max(0, ...pools.map((pool) => pool[count]));
}

const PERCENTS = [10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90];

export interface PartChoice {
  shards: number;
  mps: number;
}

/** The parts of a GPU that the form offers, with what is asked for. */
export function partChoices(partition: Pools, gpuType: string | null, { shards, mps }: PartChoice): PartChoice[] {
  const counts = Array.from({ length: Math.max(mostShards(partition, gpuType), shards) }, (_, index) => index + 1);
  // Where Slurm counts otherwise, percent cannot be asked for (portal/policy/resolve.py).
  const percents = mostMps(partition, gpuType) === 100 ? PERCENTS : [];
  const all = [...new Set([...percents, ...(mps > 0 ? [mps] : [])])].sort((one, other) => one - other);
  return [...counts.map((count) => ({ shards: count, mps: 0 })), ...all.map((percent) => ({ shards: 0, mps: percent }))];
}
