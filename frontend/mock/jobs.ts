// Invented batch jobs in the API's shapes, and a little of composing and reading scripts. The real ones are portal/jobs.
import type { JobAction, JobDetail, JobForm, JobPreset, JobRow, LiveUse, WireForm } from "../src/api/jobTypes";
import { GIB, HOUR, ago, ahead } from "./units";

export const row = (change: Partial<JobRow> = {}): JobRow => ({
  id: "8101",
  name: "train",
  state: "RUNNING",
  reason: null,
  reason_code: null,
  partition: "sxm2",
  account: "vision",
  qos: "normal",
  nodes: 1,
  node_list: "node001",
  gpus: 2,
  gpu_type: "v100",
  cpus: 16,
  memory_mib: 96 * GIB,
  walltime_s: 4 * HOUR,
  submitted_at: ago(2 * HOUR),
  started_at: ago(1.5 * HOUR),
  expected_start: null,
  ends_at: ahead(2.5 * HOUR),
  ended_at: null,
  exit_code: null,
  signal: null,
  end: null,
  array: null,
  efficiency: null,
  usage: null,
  from_portal: true,
  notify: false,
  ...change,
});

const waiting = { started_at: null, ends_at: null, node_list: "", state: "PENDING" };
const ended = (hours: number) => ({ ended_at: ago(hours * HOUR), started_at: ago((hours + 1) * HOUR), submitted_at: ago((hours + 1.2) * HOUR), ends_at: null });

export const rows = (): JobRow[] => [
  row({
    id: "8103",
    name: "resnet-2nodes",
    ...waiting,
    nodes: 2,
    gpus: 8,
    cpus: 64,
    memory_mib: 384 * GIB,
    submitted_at: ago(600),
    reason: "Waiting for free GPUs: 8 V100 on 2 nodes are needed.",
    reason_code: "Resources",
    expected_start: ahead(HOUR),
  }),
  row({ id: "8101", name: "bert-pretrain", usage: { cpu_s: 38_000, memory_mib: 61 * GIB } }),
  row({
    id: "8102",
    name: "sweep",
    nodes: 1,
    gpus: 1,
    cpus: 8,
    memory_mib: 48 * GIB,
    array: { total: 1000, pending: 640, running: 40, done: 316, failed: 4, cancelled: 0, range: "0-999" },
    node_list: "node[001-004]",
  }),
  row({ id: "8099", name: "held-back", ...waiting, reason: "You hold it: release it to let it start.", reason_code: "JobHeldUser" }),
  row({
    id: "8090",
    name: "big-batch",
    ...ended(3),
    state: "OUT_OF_MEMORY",
    exit_code: 0,
    signal: 125,
    end: { code: "oom", text: "It ran out of memory: asked 10 GB, used 10 GB.", advice: "Submit it again with more memory, or load less at once." },
    efficiency: { cpu_percent: 81, memory_percent: 100, gpu_percent: 44 },
  }),
  row({
    id: "8089",
    name: "all-reduce",
    ...ended(5),
    state: "COMPLETED",
    nodes: 2,
    exit_code: 0,
    end: { code: "finished", text: "It ran to its end.", advice: null },
    efficiency: { cpu_percent: 93, memory_percent: 12, gpu_percent: null },
  }),
];

const gpuUse = (utilization: number): LiveUse["nodes"][number]["gpus"][number] => ({
  index: 0,
  uuid: "GPU-0",
  name: "Tesla V100",
  utilization,
  utilization_peak: 100,
  memory_used_mib: 20 * GIB,
  memory_peak_mib: 24 * GIB,
  memory_total_mib: 32 * GIB,
  power_w: 210.4,
  power_peak_w: 296.1,
  energy_j: 84_000,
  processes: [{ pid: 4711, name: "python train.py", memory_mib: 20 * GIB }],
});

/** What a running job uses, on its first node more than on the others. */
export const use = (of: JobRow): LiveUse => ({
  state: of.state === "RUNNING" ? "live" : "idle",
  message: null,
  as_of: ago(0),
  nodes: ["node001", "node002"].slice(0, of.nodes).map((node, index) => ({
    node,
    cpu_percent: 740 - 300 * index,
    cores: of.cpus / of.nodes,
    memory_mib: 30 * GIB,
    memory_asked_mib: 48 * GIB,
    gpus: of.gpus === 0 ? [] : [gpuUse(71 + index)],
  })),
});

/** The tasks of the array. */
export const tasks = (): JobRow[] =>
  Array.from({ length: 1000 }, (_, index) => {
    const state = index < 316 ? "COMPLETED" : index < 320 ? "FAILED" : index < 360 ? "RUNNING" : "PENDING";
    const over = state === "COMPLETED" || state === "FAILED";
    const end = state === "FAILED" ? { code: "failed", text: "Its script ended with exit code 1.", advice: "Its output says why: look at its last lines." } : null;
    return row({ id: `8102_${index}`, name: "sweep", state, end, ...(over ? ended(1) : state === "PENDING" ? waiting : {}) });
  });

const ACTIONS: Record<string, JobAction[]> = { PENDING: ["cancel", "hold", "time_limit"], RUNNING: ["cancel", "requeue", "time_limit"] };

export const detail = (of: JobRow): JobDetail => ({
  ...of,
  script: SCRIPT,
  script_missing: null,
  workdir: "/home/alice/work",
  stdout: `/home/alice/work/slurm-${of.id}.out`,
  stderr: `/home/alice/work/slurm-${of.id}.out`,
  dependencies: [],
  shards_per_node: 0,
  mps_per_node: 0,
  exclusive: false,
  recorded: true,
  events: [{ at: of.submitted_at ?? ago(0), text: "Submitted in the portal." }],
  actions: of.reason_code === "JobHeldUser" ? ["cancel", "release"] : (ACTIONS[of.state] ?? []),
});

export const form = (change: Partial<JobForm> = {}): JobForm => ({
  name: "all-reduce",
  partition: "sxm2",
  account: null,
  qos: null,
  reservation: null,
  nodes: 2,
  tasks_per_node: 2,
  cpus_per_task: 2,
  gpus_per_node: 0,
  gpu_type: null,
  shards_per_node: 0,
  mps_per_node: 0,
  constraint: null,
  licenses: null,
  wckey: null,
  exclusive: false,
  memory_mib_per_node: 8 * GIB,
  walltime_s: HOUR,
  environment: null,
  modules: [],
  command: "srun python all_reduce.py",
  env: [],
  array: null,
  dependencies: [],
  workdir: null,
  output: null,
  error: null,
  notify: false,
  ...change,
});

export const presets: JobPreset[] = [
  { name: "torchrun", title: "PyTorch over several nodes", description: "torchrun on every node, one process for each GPU.", caution: null, form: form() },
  {
    name: "sweep",
    title: "Hyperparameter sweep",
    description: "An array: the same script with another number each time.",
    caution: null,
    form: form({ name: "sweep", nodes: 1, array: { range: "0-9", at_once: 4 } }),
  },
  {
    name: "notebook",
    title: "Run a notebook to its end",
    description: "Executes a notebook with parameters and saves what it shows.",
    caution: null,
    form: form({
      nodes: 1,
      env: [
        { name: "NOTEBOOK", value: "example.ipynb" },
        { name: "PARAMETERS", value: '{"epochs": 10}' },
      ],
    }),
  },
];

/** Nodes, name and the rest of a script; enough to see both sides follow each other. */
export function compose(from: WireForm, kept: readonly string[] = []): string {
  const lines = ["#!/bin/bash", `#SBATCH --job-name=${from.name}`, `#SBATCH --nodes=${from.nodes}`, `#SBATCH --ntasks-per-node=${from.tasks_per_node ?? 1}`, ...kept];
  return `${lines.join("\n")}\n\n${from.command}\n`;
}

export function parse(script: string): { form: JobForm; kept: string[]; complete: boolean } {
  const value = (name: string) => new RegExp(`^#SBATCH --${name}=(.*)$`, "m").exec(script)?.[1];
  const kept = script.split("\n").filter((line) => /^#SBATCH --(?!job-name|nodes|ntasks-per-node)/.test(line));
  const command = script
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .trim();
  const read = form({ name: value("job-name") ?? "job", nodes: Number(value("nodes") ?? 1), tasks_per_node: Number(value("ntasks-per-node") ?? 1), command });
  return { form: read, kept, complete: kept.length === 0 };
}

export const SCRIPT = compose(form());

export const OUTPUT = Array.from({ length: 400 }, (_, step) => `\u001b[32mepoch ${step}\u001b[0m loss ${(2 / (step + 1)).toFixed(4)}\n`).join("");
