// What a session or job asks for besides sizes, in Slurm's own notations. Pure: values in, values out.
import type { Partition, Resources } from "~/api/types";
import { strings } from "~/strings/en";

const words = strings.siteFields;

export interface SiteAsked {
  /** Of one GPU, instead of whole ones; 0: none. */
  shards: number;
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

/** Into how many shards a GPU of this type, or of any, can be split; 0: none. */
export const mostShards = (partition: Partition | undefined, gpuType: string | null): number =>
  Math.max(0, ...(partition?.gpus ?? []).filter(({ type }) => gpuType === null || type === gpuType).map(({ shards_per_gpu }) => shards_per_gpu));
