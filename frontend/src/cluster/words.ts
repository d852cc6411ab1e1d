// Nodes and jobs in words.
import type { ClusterJob, ClusterKind, ClusterNode } from "~/api/types";
import { strings } from "~/strings/en";
import { OUT_OF_SERVICE, freeOf, reservedOf } from "./snapshot";

const words = strings.cluster;

/** A node tile's text besides its name: how many GPUs are free, or why none can be. */
export function standing(node: ClusterNode, kind: ClusterKind | undefined): string {
  if (OUT_OF_SERVICE.has(node.state) || node.state === "reserved" || node.state === "asleep") return words.states[node.state];
  if (node.gpus === "") return words.node.free(Math.max(0, (kind?.cpus ?? 0) - node.cpus));
  const free = freeOf(node);
  return free === 0 ? words.states.full : words.node.free(free);
}

/** A node's state, for screen readers. */
export function nodeLabel(node: ClusterNode, kind: ClusterKind | undefined, mine: number): string {
  const total = node.gpus.length;
  const used = Array.from(node.gpus).filter((letter) => letter !== ".").length;
  const type = kind?.gpus.length === 1 ? kind.gpus[0]?.type.toUpperCase() : undefined;
  const out = OUT_OF_SERVICE.has(node.state);
  const parts = [
    words.states[node.state],
    ...(total === 0
      ? [words.node.cores(node.cpus, kind?.cpus ?? 0)]
      : [
          strings.cells.free(freeOf(node), total, type === "" ? undefined : type),
          ...(used > 0 ? [strings.cells.busy(used, Math.min(mine, used))] : []),
          ...(reservedOf(node) > 0 ? [strings.cells.reserved(reservedOf(node))] : []),
          ...(out && total > used ? [strings.cells.down(total - used)] : []),
        ]),
    ...(node.reason === "" ? [] : [node.reason]),
  ];
  return parts.join(", ");
}

export const waits = ({ state }: Pick<ClusterJob, "state">) => state === "PENDING" || state.startsWith("REQUEUE");
