// Invented data in the API's shapes, for developing the web app without a cluster. Not used by the portal.
import type {
  AuditEntry,
  Environment,
  Me,
  Options,
  PreviewCell,
  Resources,
  Session,
  Site,
  Template,
} from "../src/api/types";
import type { CellChange, Copy } from "../src/templates/copies";

const GIB = 1024;
const HOUR = 3600;

export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
export const ahead = (seconds: number) => ago(-seconds);

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
    ...change,
  };
};

const gpus = { type: "v100", total: 16, free: 9, reserved: 0, down: 1, most_free_on_a_node: 4 };
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
      reason: "No environment of this site has the program digits-devserver.",
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
      gpus: [gpus, { type: "a100", total: 8, free: 3, reserved: 0, down: 0, most_free_on_a_node: 2 }],
      cpus: { total: 240, free: 120 },
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
    },
  ],
  gpus: [
    gpus,
    { type: "a100", total: 8, free: 3, reserved: 0, down: 0, most_free_on_a_node: 2 },
  ],
  accounts: [
    { name: "vision", default: true, qos: ["normal", "urgent"], default_qos: "normal" },
    { name: "teaching", default: false, qos: [], default_qos: null },
  ],
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
  },
  defaults: { app: "jupyterlab", environment: "base", resources: resources() },
});

export const session = (change: Partial<Session>): Session => ({
  id: "s00000000001",
  name: "session",
  owner: "alice",
  app: "jupyterlab",
  app_title: "JupyterLab",
  environment: "base",
  environment_title: "Python 3.11",
  environment_version: "2026.11",
  image: null,
  options: {},
  modules: [],
  state: "ready",
  reason: null,
  reason_code: null,
  job_id: 4711,
  node: "node003",
  url: "/user/alice/session/lab",
  server_name: "session",
  resources: resources(),
  created_at: ago(3 * HOUR),
  queued_at: ago(3 * HOUR - 1),
  started_at: ago(3 * HOUR - 4),
  ready_at: ago(3 * HOUR - 9),
  ends_at: ahead(5 * HOUR),
  ended_at: null,
  end: null,
  queue: null,
  usage: null,
  used_at: ago(90),
  progress: 100,
  ...change,
});

const gpuUse = (index: number, utilization: number, used: number) => ({
  index,
  name: "Tesla V100-SXM2-32GB",
  utilization,
  memory_used_mib: used * GIB,
  memory_total_mib: 32 * GIB,
});

export const sessions = (): Session[] => [
  session({
    id: "sweepviewer1",
    name: "sweep-viewer",
    state: "queued",
    reason: "Waiting for a free GPU: 4 more V100 are needed.",
    reason_code: "PENDING (Resources)",
    job_id: 4719,
    node: null,
    url: null,
    resources: resources({ gpus: 4, walltime_s: 24 * HOUR }),
    created_at: ago(540),
    queued_at: ago(539),
    started_at: null,
    ready_at: null,
    ends_at: null,
    queue: { position: 3, of: 7, expected_start: ahead(HOUR + 1200) },
    progress: 20,
  }),
  session({
    id: "bertfinetune",
    name: "bert-finetune",
    environment: "pytorch",
    environment_title: "PyTorch",
    environment_version: "2.13",
    resources: resources({ gpus: 2 }),
    ends_at: ahead(3 * HOUR + 12 * 60 + 20),
    usage: {
      at: ago(12),
      cpu_percent: 342,
      memory_mib: 37.4 * GIB,
      gpus: [gpuUse(0, 88, 24), gpuUse(1, 54, 21)],
    },
  }),
  session({
    id: "terminal0001",
    name: "shell",
    app: "terminal",
    app_title: "Terminal",
    resources: resources({ gpus: 0, partition: "debug", walltime_s: 1800 }),
    node: "node001",
    created_at: ago(1260),
    ready_at: ago(1255),
    ends_at: ahead(540),
    usage: { at: ago(25), cpu_percent: 1, memory_mib: 96, gpus: [] },
  }),
  ...ended(),
];

function ended(): Session[] {
  const over = (id: string, name: string, hours: number, end: Session["end"], change: Partial<Session> = {}) =>
    session({
      id,
      name,
      state: "ended",
      url: null,
      created_at: ago((hours + 4) * HOUR),
      queued_at: ago((hours + 4) * HOUR - 1),
      started_at: ago((hours + 4) * HOUR - 3),
      ready_at: ago((hours + 4) * HOUR - 9),
      ends_at: ago(hours * HOUR),
      ended_at: ago(hours * HOUR),
      end,
      ...change,
    });
  return [
    over("oomsession01", "big-batch", 2, {
      code: "oom",
      text: "It ran out of memory.",
      advice: "Start it again with more memory, or load less at once.",
      exit_code: 137,
    }),
    over("stoppedone01", "digits", 5, { code: "stopped", text: "You stopped it.", advice: null, exit_code: 0 }),
    over(
      "timelimit001",
      "long-run",
      26,
      { code: "time_limit", text: "Its 8 hours were over.", advice: "Choose a longer time.", exit_code: null },
      { environment_title: "PyTorch", environment_version: "2.13", environment: "pytorch" },
    ),
    over("appfailed001", "broken-env", 30, {
      code: "app_failed",
      text: "JupyterLab ended by itself with exit code 1.",
      advice: "The end of the log says why.",
      exit_code: 1,
    }),
    ...Array.from({ length: 9 }, (_, index) =>
      over(`older${String(index).padStart(7, "0")}`, `run-${9 - index}`, 50 + index * 20, {
        code: "finished",
        text: "JupyterLab was closed from inside.",
        advice: null,
        exit_code: 0,
      }),
    ),
  ];
}

export const templates: Template[] = [
  template("sklearn-digits", "scikit-learn", "Handwritten digits with a support vector machine", "Loads the digits, trains, prints accuracy and a confusion matrix.", "Classification", "base", 0, 0.3),
  template("pytorch-digits", "PyTorch", "Handwritten digits with a small network", "A training loop to read and change: data, model, loss, accuracy for each epoch.", "Classification", "pytorch", 1, 1.5),
  template("tensorflow-digits", "TensorFlow", "Handwritten digits with Keras", "The same task in Keras, with TensorBoard beside it.", "Classification", "tensorflow", 1, 2),
  template("pytorch-ddp", "PyTorch", "Training on several GPUs of a node", "DistributedDataParallel from a notebook, with what to change for two nodes.", "Distributed training", "pytorch", 2, 4),
  template("jax-regression", "JAX", "Regression with automatic differentiation", "grad, jit and vmap on a problem small enough to see through.", "Regression", "jax", 1, 1),
  {
    ...template("torch7-digits", "Torch 7", "Handwritten digits with Torch 7", "The forerunner of PyTorch, in Lua.", "Classification", "torch7", 1, 1),
    image: "nvcr.io/nvidia/torch:18.08-py2",
    tested: "",
    not_run: "no registry was in reach.",
  },
];

export const previewCells: PreviewCell[] = [
  { id: "title", kind: "markdown", source: "# Digits\n\nWhat it **shows**. <script>alert(1)</script>", outputs: [] },
  {
    id: "train",
    kind: "code",
    source: "print(accuracy)",
    outputs: [
      { kind: "text", text: "0.98\n", png: null },
      { kind: "picture", text: "", png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" },
    ],
  },
];

export const copies: Copy[] = templates.map(({ id }, at) => ({ id, state: at === 1 ? "outdated" : at === 2 ? "changed" : "same" }));

export const differentCells: CellChange[] = [
  { change: "same", kind: "markdown", lines: [{ change: "same", text: "# Digits" }] },
  { change: "same", kind: "code", lines: [{ change: "same", text: "import torch" }] },
  {
    change: "changed",
    kind: "code",
    lines: [
      { change: "same", text: "epochs = 3" },
      { change: "mine", text: "rate = 0.5" },
      { change: "new", text: "rate = 0.001  # with a schedule, so that the last epochs settle and the accuracy does not jump about" },
    ],
  },
  { change: "mine", kind: "code", lines: [{ change: "mine", text: "print('a cell of my own')" }] },
  { change: "new", kind: "markdown", lines: [{ change: "new", text: "Now save the model." }] },
];

function template(
  id: string,
  framework: string,
  title: string,
  description: string,
  task: string,
  environment_: string,
  gpus_: number,
  minutes_cpu: number,
): Template {
  const known = environments.find(({ name }) => name === environment_);
  return {
    id,
    framework,
    versions: "",
    title,
    description,
    task,
    environment: environment_ === "base" ? null : environment_,
    environment_title: environment_ === "base" ? null : (known?.title ?? null),
    available: known?.installed ?? false,
    data: "Handwritten digits, 8 × 8 pixels",
    has_outputs: false,
    gpus: gpus_,
    file: `${id}.ipynb`,
    minutes_cpu,
    minutes_gpu: null,
    tested: "2026-11-20",
    image: "",
    not_run: "",
  };
}

const ACTIONS: [string, string, string, Record<string, unknown>][] = [
  ["alice", "session.start", "sweepviewer1", { job: 4719 }],
  ["bob", "login", "bob", {}],
  ["bob", "session.stop", "s0bobdigits1", { job: 4702, owner: "bob" }],
  ["carol", "login", "carol", { reason: "wrong password" }],
  ["alice", "environment.install", "pytorch", {}],
];

export const audit = (): AuditEntry[] =>
  Array.from({ length: 60 }, (_, index) => {
    const [actor, action, target, detail] = ACTIONS[index % ACTIONS.length] as (typeof ACTIONS)[number];
    return {
      id: 1000 - index,
      at: ago(index * 1700 + 60),
      actor,
      action,
      target,
      result: "reason" in detail ? "refused" : "ok",
      address: `10.1.0.${(index * 7) % 200}`,
      detail,
    };
  });

export const LOG = Array.from(
  { length: 60 },
  (_, index) => `[I 2026-11-24 09:12:${String(index).padStart(2, "0")} ServerApp] ${index === 59 ? "Jupyter Server is ready" : `extension ${index} was successfully loaded`}`,
).join("\n");
