// An invented site, and who uses it: what may be chosen, and of what there is how much.
import type { Environment, Me, Options, Resources, Site } from "../src/api/types";
import { GIB, HOUR, ago, ahead } from "./units";

export const me: Me = {
  username: "alice",
  display_name: "Alice Liddell",
  admin: true,
  groups: ["portal-users", "vision"],
  csrf_token: "mock-csrf",
};

export const site = (): Site => ({
  name: "Data Scientist Portal",
  version: "0.1.0",
  support: "help@example.org",
  hub_url: "/hub/",
  mounts: [{ name: "shared", title: "Shared data" }],
  missing: [],
  sharing: true,
  ssh: true,
  slurm: { state: "up", since: null, as_of: ago(2), message: null },
});

export const resources = (change: Partial<Resources> = {}): Resources => {
  const gpus = change.gpus ?? 1;
  return {
    partition: "sxm2",
    account: "vision",
    qos: null,
    reservation: null,
    nodes: 1,
    gpus,
    gpu_type: gpus === 0 ? null : "v100",
    cpus: gpus === 0 ? 2 : gpus * 8,
    memory_mib: gpus === 0 ? 8 * GIB : gpus * 48 * GIB,
    walltime_s: 8 * HOUR,
    shards: 0,
    mps_percent: 0,
    exclusive: false,
    ...change,
  };
};

const gpus = { type: "v100", total: 16, free: 9, reserved: 0, down: 1, most_free_on_a_node: 4, shards_per_gpu: 0, mps_per_gpu: 0 };
const node = { gpus: 4, cpus: 40, memory_mib: 375 * GIB };

export const environments: Environment[] = [
  environment("base", "Python 3.11", "Light: numpy, pandas, matplotlib, scikit-learn.", "2026.11", 420, true),
  environment("pytorch", "PyTorch", "PyTorch with torchvision, CPU and CUDA.", "2.13", 1800, true),
  environment("tensorflow", "TensorFlow", "TensorFlow and Keras, with TensorBoard.", "2.21", 1600, false),
  environment("jax", "JAX", "JAX with Flax and Optax.", "0.10", 900, false),
];

function environment(
  name: string,
  title: string,
  description: string,
  version: string,
  size_mb: number,
  installed: boolean,
): Environment {
  const state = installed ? "installed" : "absent";
  return {
    name,
    title,
    description,
    version,
    kind: "path",
    own: false,
    size_mb,
    installed,
    installable: true,
    state,
    message: "",
    progress: installed ? 100 : 0,
    reason: null,
  };
}

export const options = (): Options => ({
  as_of: ago(2),
  apps: [
    {
      name: "jupyterlab",
      title: "JupyterLab",
      description: "Notebooks, terminal and files.",
      icon: "jupyter",
      group: "Notebooks",
      kind: "jupyter",
      environments: environments.map(({ name }) => name),
      options: [],
      resources: resources(),
      available: true,
      reason: null,
    },
    {
      name: "terminal",
      title: "Terminal",
      description: "A shell on a compute node.",
      icon: "terminal",
      group: "Shells and editors",
      kind: "web",
      environments: ["base"],
      options: [],
      resources: resources({ gpus: 0 }),
      available: true,
      reason: null,
    },
    {
      name: "tensorboard",
      title: "TensorBoard",
      description: "Charts of a training run, from the event files in a folder.",
      icon: "tensorboard",
      group: "Look at results",
      kind: "web",
      environments: ["base", "tensorflow"],
      options: [
        {
          name: "folder",
          label: "Folder with event files",
          kind: "folder",
          default: null,
          required: true,
          help: "Folders in it are shown as runs of their own.",
          choices: [],
          least: null,
          most: null,
          whole: false,
        },
      ],
      resources: resources({ gpus: 0, cpus: 1, memory_mib: 4 * GIB }),
      available: true,
      reason: null,
    },
    {
      name: "digits",
      title: "DIGITS",
      description: "Train image networks without writing code.",
      icon: "digits",
      group: "Train",
      kind: "web",
      environments: [],
      options: [],
      resources: null,
      available: false,
      reason: "No environment on this site has the program digits-devserver.",
    },
  ],
  environments: environments.map(({ name, title, description, version, installed, installable, size_mb }) => ({
    name,
    title,
    description,
    version,
    installed,
    installable,
    size_mb,
    kind: "path",
    own: false,
    reason: null,
  })),
  reservations: [
    { name: "class", starts_at: ago(600), ends_at: ahead(7200), nodes: 2, gpus: 8, partitions: ["sxm2"] },
    { name: "exam", starts_at: ahead(7200), ends_at: ahead(14_400), nodes: 1, gpus: 4, partitions: ["debug"] },
  ],
  partitions: [
    {
      name: "debug",
      default: false,
      available: true,
      reason: null,
      max_walltime_s: 1800,
      default_walltime_s: 600,
      nodes: { total: 4, up: 4 },
      per_node: node,
      gpus: [gpus],
      cpus: { total: 160, free: 96 },
      features: [],
      whole_nodes: false,
    },
    {
      name: "sxm2",
      default: true,
      available: true,
      reason: null,
      max_walltime_s: 48 * HOUR,
      default_walltime_s: HOUR,
      nodes: { total: 6, up: 6 },
      per_node: node,
      gpus: [gpus, { type: "a100", total: 8, free: 3, reserved: 0, down: 0, most_free_on_a_node: 2, shards_per_gpu: 0, mps_per_gpu: 0 }],
      cpus: { total: 240, free: 120 },
      features: [],
      whole_nodes: false,
    },
    {
      name: "physics",
      default: false,
      available: false,
      reason: "The partition “physics” is for the groups physics.",
      max_walltime_s: null,
      default_walltime_s: null,
      nodes: { total: 2, up: 2 },
      per_node: { gpus: 0, cpus: 64, memory_mib: 512 * GIB },
      gpus: [],
      cpus: { total: 128, free: 128 },
      features: [],
      whole_nodes: false,
    },
  ],
  gpus: [
    gpus,
    { type: "a100", total: 8, free: 3, reserved: 0, down: 0, most_free_on_a_node: 2, shards_per_gpu: 0, mps_per_gpu: 0 },
  ],
  accounts: [
    { name: "vision", default: true, qos: ["normal", "urgent"], default_qos: "normal" },
    { name: "teaching", default: false, qos: [], default_qos: null },
  ],
  licenses: [],
  wckeys: [],
  policy: {
    cpus_per_gpu: 8,
    memory_mib_per_gpu: 48 * GIB,
    cpu_only_cpus: 2,
    cpu_only_memory_mib: 8 * GIB,
    max_walltime_s: 72 * HOUR,
    max_gpus: 8,
    gpus_in_use: 3,
    max_sessions: 10,
    sessions_in_use: 4,
    max_nodes: 1,
    may_extend: true,
  },
  defaults: { app: "jupyterlab", environment: "base", resources: resources() },
});
