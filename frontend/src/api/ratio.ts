// Cores and memory that come with GPUs: the policy's ratio, bounded by what a node of the partition has. The portal
// decides by the same rule (portal/policy); this copy lets the form respond at once.
import type { Partition, Policy, Resources } from "./types";

export interface Followed {
  cpus: number;
  memoryMib: number;
}

export function followed(gpus: number, policy: Policy, node?: Partition["per_node"]): Followed {
  const cpus = gpus === 0 ? policy.cpu_only_cpus : gpus * policy.cpus_per_gpu;
  const memoryMib = gpus === 0 ? policy.cpu_only_memory_mib : gpus * policy.memory_mib_per_gpu;
  return {
    cpus: atMost(cpus, node?.cpus),
    memoryMib: atMost(memoryMib, node?.memory_mib),
  };
}

/** What a session gets with a number of GPUs: what its app wants if it has that many, else the policy's ratio. */
export function broughtBy(gpus: number, app: Resources | null, policy: Policy, node?: Partition["per_node"]): Followed {
  if (app?.gpus === gpus) return { cpus: atMost(app.cpus, node?.cpus), memoryMib: atMost(app.memory_mib, node?.memory_mib) };
  return followed(gpus, policy, node);
}

/** What comes with a part of one GPU: its share of the cores and memory of a whole one. */
export function partOf(count: number, all: number, policy: Policy): Followed {
  const part = all === 0 ? 1 : Math.min(count / all, 1);
  return { cpus: Math.max(1, Math.floor(policy.cpus_per_gpu * part)), memoryMib: Math.max(1, Math.floor(policy.memory_mib_per_gpu * part)) };
}

function atMost(value: number, limit: number | undefined): number {
  return limit === undefined || limit === 0 ? value : Math.min(value, limit);
}
