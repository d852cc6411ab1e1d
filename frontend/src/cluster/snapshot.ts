// The page's snapshot of the nodes, and what is derived from it. Pure: values in, values out.
import type { ClusterChange, ClusterKind, ClusterNode, ClusterSnapshot } from "~/api/types";
import type { Cell, CellKind } from "~/ui/cells";

/** My GPUs by node, as indices. */
export type Mine = Readonly<Record<string, readonly number[]>>;

/** The snapshot after a diff; null if the diff does not follow on it. */
export function apply(snapshot: ClusterSnapshot, change: ClusterChange): ClusterSnapshot | null {
  if (change.since !== snapshot.version) return null;
  const news = new Map(change.nodes.map((node) => [node.name, node]));
  const gone = new Set(change.gone);
  const nodes =
    news.size === 0 && gone.size === 0
      ? snapshot.nodes
      : [
          ...snapshot.nodes.filter(({ name }) => !gone.has(name)).map((node) => take(news, node)),
          ...news.values(),
        ];
  const kinds = change.kinds.length === 0 ? snapshot.kinds : [...snapshot.kinds.slice(0, change.kinds_from), ...change.kinds];
  return { ...snapshot, version: change.version, as_of: change.as_of, queue: change.queue, nodes, kinds };
}

function take(news: Map<string, ClusterNode>, node: ClusterNode): ClusterNode {
  const other = news.get(node.name);
  news.delete(node.name);
  return other ?? node;
}

export const OUT_OF_SERVICE = new Set(["drained", "draining", "down", "maintenance"]);

/** A GPU that jobs share in parts, in a node's `gpus`. */
export const SHARED = "%";

/** The kind of a GPU that nobody holds, by its node's state. */
function idleKind({ state }: ClusterNode): CellKind {
  if (state === "down" || state === "reserved") return state;
  return OUT_OF_SERVICE.has(state) ? "drained" : "free";
}

/** One cell per GPU, in their order on the node. Adjacent jobs alternate in shade. */
export function cellsOf(node: ClusterNode, mine: readonly number[] = []): Cell[] {
  const own = new Set(mine);
  const idle = idleKind(node);
  return Array.from(node.gpus).map((letter, index) => {
    if (letter === ".") return { kind: idle };
    if (node.state === "down") return { kind: "down" };
    if (letter === SHARED) return { kind: "shared" };
    return { kind: own.has(index) ? "mine" : "busy", alternate: letter.charCodeAt(0) % 2 === 0 };
  });
}

const idleOf = (node: ClusterNode): number => Array.from(node.gpus).filter((letter) => letter === ".").length;

/** What any job may have now: nothing of a node out of service, nor of a reserved one. */
export const freeOf = (node: ClusterNode): number => (idleKind(node) === "free" ? idleOf(node) : 0);

export const reservedOf = (node: ClusterNode): number => (node.state === "reserved" ? idleOf(node) : 0);

export interface Sums {
  total: number;
  used: number;
  mine: number;
  reserved: number;
  down: number;
}

export interface Totals {
  gpus: Sums;
  cpus: Sums;
  memory: Sums;
}

export function totalsOf(nodes: readonly ClusterNode[], kinds: readonly ClusterKind[], mine: Mine): Totals {
  const totals: Totals = { gpus: nothing(), cpus: nothing(), memory: nothing() };
  for (const node of nodes) {
    const kind = kinds[node.kind];
    if (kind === undefined) continue;
    const rest = node.state === "reserved" ? "reserved" : OUT_OF_SERVICE.has(node.state) ? "down" : null;
    add(totals.gpus, node.gpus.length, node.gpus.length - idleOf(node), rest);
    add(totals.cpus, kind.cpus, node.cpus, rest);
    add(totals.memory, kind.memory_mib, node.memory_mib, rest);
    totals.gpus.mine += mine[node.name]?.length ?? 0;
  }
  return totals;
}

const nothing = (): Sums => ({ total: 0, used: 0, mine: 0, reserved: 0, down: 0 });

/** `rest`: the category of unused resources that are not free. */
function add(sums: Sums, total: number, used: number, rest: "reserved" | "down" | null): void {
  sums.total += total;
  sums.used += used;
  if (rest !== null) sums[rest] += Math.max(0, total - used);
}

export interface NodeFilter {
  text: string;
  partition: string;
  gpuType: string;
  state: string;
  feature: string;
}

export function filtered(snapshot: ClusterSnapshot, filter: NodeFilter, mine: Mine): readonly ClusterNode[] {
  const { text, partition, gpuType, state, feature } = filter;
  if (text === "" && partition === "" && gpuType === "" && state === "" && feature === "") return snapshot.nodes;
  const fits = snapshot.kinds.map(
    (kind) =>
      (partition === "" || kind.partitions.includes(partition)) &&
      (feature === "" || kind.features.includes(feature)) &&
      (gpuType === "" || kind.gpus.some(({ type }) => type === gpuType)),
  );
  const wanted = text.toLowerCase();
  return snapshot.nodes.filter(
    (node) =>
      fits[node.kind] === true &&
      (wanted === "" || node.name.toLowerCase().includes(wanted)) &&
      (state === "" || inState(node, state, mine)),
  );
}

function inState(node: ClusterNode, state: string, mine: Mine): boolean {
  if (state === "free") return freeOf(node) > 0;
  if (state === "mine") return (mine[node.name]?.length ?? 0) > 0;
  return node.state === state;
}

export interface Choices {
  partitions: string[];
  gpuTypes: string[];
  features: string[];
  states: string[];
}

export function choicesOf({ kinds, nodes }: ClusterSnapshot): Choices {
  const all = (values: string[]) => [...new Set(values)].sort();
  return {
    partitions: all(kinds.flatMap(({ partitions }) => partitions)),
    gpuTypes: all(kinds.flatMap(({ gpus }) => gpus.map(({ type }) => type)).filter((type) => type !== "")),
    features: all(kinds.flatMap(({ features }) => features)),
    states: all(nodes.map(({ state }) => state)),
  };
}

export interface Group {
  name: string;
  nodes: ClusterNode[];
}

/** Nodes by rack if the site names racks, else by their partitions: each node is in one group. */
export function groupsOf(snapshot: ClusterSnapshot, nodes: readonly ClusterNode[]): Group[] {
  const names = snapshot.kinds.map((kind) =>
    snapshot.group_by === "rack" ? rackOf(kind, snapshot.rack_feature) : kind.partitions.join(", "),
  );
  const groups = new Map<string, ClusterNode[]>();
  for (const node of nodes) {
    const name = names[node.kind] ?? "";
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [node]);
    else group.push(node);
  }
  return [...groups].map(([name, members]) => ({ name, nodes: members }));
}

function rackOf(kind: ClusterKind, pattern: string): string {
  const named = new RegExp(`^(?:${pattern})$`);
  return kind.features.find((feature) => named.test(feature)) ?? "";
}
