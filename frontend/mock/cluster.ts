// An invented cluster for the Cluster page: two racks' worth of nodes, one drained, one down, and a queue.
import type { ClusterHistory, ClusterJob, ClusterJobDetail, ClusterJobs, ClusterNodeDetail, ClusterSnapshot } from "../src/api/types";
import { GIB, ago, ahead } from "./units";

export const HOSTILE = "</script><img src=x onerror=alert(1)>";

const kinds: ClusterSnapshot["kinds"] = [
  { partitions: ["sxm2", "debug"], features: ["v100"], cpus: 40, memory_mib: 375 * GIB, gpus: [{ type: "v100", count: 4 }] },
  { partitions: ["hopper"], features: ["h100", "nvlink"], cpus: 96, memory_mib: 1000 * GIB, gpus: [{ type: "h100", count: 8 }] },
  { partitions: ["cpu"], features: [], cpus: 64, memory_mib: 256 * GIB, gpus: [] },
];

type Row = ClusterSnapshot["nodes"][number];
const row = (name: string, kind: number, state: Row["state"], gpus: string, more: Partial<Row> = {}): Row => {
  const used = Array.from(gpus).filter((letter) => letter !== ".").length;
  return { name, kind, state, gpus, cpus: used * 8, memory_mib: used * 48 * GIB, reason: "", ...more };
};

const nodes: Row[] = [
  row("node001", 0, "mixed", "aab."),
  row("node002", 0, "full", "aaaa"),
  row("node003", 0, "idle", "...."),
  row("node004", 0, "drained", "....", { reason: "fan 2 is loud" }),
  row("gpu01", 1, "mixed", "aaaabb.."),
  row("gpu02", 1, "down", "........", { reason: "Not responding" }),
  row("cpu01", 2, "mixed", "", { cpus: 20 }),
];

export const mine: Record<string, number[]> = { node001: [0, 1] };

export const snapshot = (): ClusterSnapshot => ({
  version: "mock-1",
  as_of: ago(2),
  group_by: "partition",
  rack_feature: "",
  queue: { version: 1, running: 5, waiting: 2 },
  kinds,
  nodes,
});

const one = (id: number, more: Partial<ClusterJob>): ClusterJob => ({
  id,
  name: `train-${id}`,
  user: "bob",
  account: "vision",
  mine: false,
  partition: "sxm2",
  qos: "normal",
  state: "RUNNING",
  reason: "",
  reason_code: "None",
  node_list: "node001",
  nodes: 1,
  gpus: 1,
  gpu_type: "v100",
  shards: 0,
  mps_percent: 0,
  cpus: 8,
  memory_mib: 48 * GIB,
  priority: 1000,
  position: null,
  line: null,
  submitted_at: ago(7300),
  started_at: ago(7200),
  expected_start: null,
  ends_at: ahead(3600),
  time_limit_s: 10_800,
  array_job_id: null,
  array_tasks: "",
  reservation: "",
  ...more,
});

const waiting = { state: "PENDING", node_list: "", started_at: null, ends_at: null };
const queue: ClusterJob[] = [
  one(4711, { mine: true, user: "alice", name: "bert-finetune", gpus: 2 }),
  one(4712, { user: null, name: null, account: null }),
  one(4713, { name: HOSTILE, node_list: "node002", gpus: 4 }),
  one(4714, { ...waiting, reason: "Waiting for 4 free V100 GPUs with the cores and memory it needs.", reason_code: "Resources", gpus: 4, position: 1, line: 2, expected_start: ahead(900) }),
  one(4715, { ...waiting, reason: "Jobs with a higher priority are ahead of it.", reason_code: "Priority", position: 2, line: 2 }),
];

export function jobs(query: URLSearchParams, known: boolean): ClusterJobs {
  if (!known) return { items: [], total: 0, mine: 0, queue: { version: 0, running: 0, waiting: 0 }, as_of: null };
  const text = query.get("query") ?? "";
  const found = queue.filter(({ id, name, mine }) => `${id} ${name ?? ""}`.includes(text) && (query.get("own") !== "true" || mine));
  return { items: found, total: found.length, mine: 1, queue: snapshot().queue, as_of: ago(2) };
}

export function job(id: number): ClusterJobDetail | undefined {
  const found = queue.find((other) => other.id === id);
  return found && { ...found, places: found.node_list === "" ? [] : [{ node: found.node_list, gpus: [0, 1], sure: true }] };
}

export function node(name: string): ClusterNodeDetail | undefined {
  const found = nodes.find((other) => other.name === name);
  const kind = found && kinds[found.kind];
  if (found === undefined || kind === undefined) return undefined;
  return {
    ...found,
    partitions: kind.partitions,
    features: kind.features,
    pools: kind.gpus.map(({ type, count }) => ({ type, total: count, free: 1, reserved: 0, down: 0, most_free_on_a_node: 1, shards_per_gpu: 0, mps_per_gpu: 0 })),
    reservation: found.state === "reserved" ? "school" : "",
    slurm_state: found.state.toUpperCase(),
    cpus_total: kind.cpus,
    memory_total_mib: kind.memory_mib,
    load: 3.5,
    version: "22.05.8",
    jobs: queue.filter(({ node_list }) => node_list === name).map((held, index) => ({ letter: "ab"[index] ?? null, gpus: index === 0 ? [0, 1] : [2], sure: index === 0, job: held })),
    as_of: ago(2),
  };
}

export function history(span: string): ClusterHistory {
  const items = Array.from({ length: 48 }, (_, index) => ({
    at: ago((48 - index) * 300),
    gpus: 32,
    gpus_used: 12 + Math.round(8 * Math.sin(index / 6)),
    gpus_reserved: 0,
    gpus_down: index > 30 ? 12 : 0,
    cpus: 400,
    cpus_used: 120,
    cpus_reserved: 0,
    cpus_down: 40,
    memory_mib: 3000 * GIB,
    memory_used_mib: 800 * GIB,
    memory_reserved_mib: 0,
    memory_down_mib: 375 * GIB,
    jobs_running: 5,
    jobs_waiting: 2,
  }));
  return { span: span as ClusterHistory["span"], step_s: 300, since: ago(86_400), items };
}
