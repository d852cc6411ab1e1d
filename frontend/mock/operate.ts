// Invented nodes, reservations and jobs as administrators see them.
import type { QueueRow } from "../src/ui/operate/jobs";
import type { NodeHealth, NodeRow, Reservation } from "../src/ui/operate/nodes";
import { ago, ahead } from "./units";

const node = (change: Partial<NodeRow>): NodeRow => ({
  name: "node001",
  state: "IDLE",
  available: true,
  draining: false,
  reason: "",
  partitions: ["debug", "sxm2"],
  gpus_total: 4,
  gpus_allocated: 0,
  gpu_types: ["v100"],
  cpus: 40,
  cpus_allocated: 0,
  memory_mib: 384_000,
  memory_allocated_mib: 0,
  load: 0.1,
  jobs: [],
  ...change,
});

export const nodes = (): NodeRow[] => [
  node({}),
  node({
    name: "node002",
    state: "MIXED",
    gpus_allocated: 2,
    cpus_allocated: 16,
    memory_allocated_mib: 98_304,
    jobs: [{ id: 4711, user: "bob", name: "bert-finetune", session_id: "bertfinetune", gpus: 2, ends_at: ahead(7200) }],
  }),
  node({ name: "node003", state: "IDLE+DRAIN", available: false, draining: true, reason: "New fans" }),
];

export const reservations = (): Reservation[] => [
  {
    name: "class",
    state: "ACTIVE",
    starts_at: ago(600),
    ends_at: ahead(7200),
    nodes: "node003",
    node_names: ["node003"],
    node_count: 1,
    users: ["carol"],
    accounts: [],
    flags: ["SPEC_NODES"],
    partition: "",
  },
];

const job = (change: Partial<QueueRow>): QueueRow => ({
  id: "4711",
  name: "bert-finetune",
  user: "bob",
  account: "vision",
  partition: "sxm2",
  qos: "normal",
  state: "RUNNING",
  reason: "",
  nodes: "node002",
  gpus: 2,
  cpus: 16,
  priority: 4294,
  time_limit_s: 28_800,
  submitted_at: ago(3700),
  started_at: ago(3600),
  ends_at: ahead(25_200),
  session_id: "bertfinetune",
  ...change,
});

export const queue = (): QueueRow[] => [
  job({}),
  job({ id: "4713", name: "sweep", user: "carol", state: "PENDING", nodes: "", reason: "Waiting for free resources.", started_at: null, ends_at: null, session_id: null }),
];

export const nodeHealth = (name: string): NodeHealth => ({
  ...(nodes().find((item) => item.name === name) ?? node({ name })),
  findings: name === "node003" ? [{ level: "bad", text: "It has 3 GPUs, but slurm.conf declares 4; check the driver, then resume it." }] : [],
  gpus_found: name === "node003" ? 3 : null,
  gpus_drained: 0,
  memory_free_mib: 201_000,
  slurmd_since: ago(86_400),
  boot_at: ago(864_000),
  busy_at: ago(600),
  reason_by: "root",
  reason_at: ago(4000),
  version: "22.05.8",
  features: ["v100"],
  as_of: ago(3),
  history: [
    { at: ago(4000), state: "drained", reason: "<b>New</b> fans", actor: "admin" },
    { at: ago(864_000), state: "up", reason: "", actor: null },
  ],
});
