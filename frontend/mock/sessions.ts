// Invented sessions, and what one has logged.
import type { Session } from "../src/api/types";
import { resources } from "./site";
import { GIB, HOUR, ago, ahead } from "./units";

export const session = (change: Partial<Session>): Session => ({
  id: "s00000000001",
  revision: 0,
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
  template: null,
  preset: null,
  state: "ready",
  reason: null,
  reason_code: null,
  job_id: 4711,
  node: "node003",
  url: "/user/alice/session/lab",
  ports_url: "/user/alice/session/proxy-port/",
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
  suspended: false,
  usage: null,
  used_at: ago(90),
  progress: 100,
  ...change,
});

/** What every end has besides how it was. */
export const seen = { next: { kind: "same" as const }, seen: true };

const gpuUse = (index: number, utilization: number, used: number) => ({
  index,
  uuid: `GPU-${index}`,
  name: "Tesla V100-SXM2-32GB",
  utilization,
  sm_percent: utilization * 0.9,
  bandwidth_percent: utilization * 0.4,
  pcie_mib_s: 310,
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
    queue: { position: 3, of: 7, order: "2 jobs ahead came earlier.", expected_start: ahead(HOUR + 1200) },
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
      seen: true,
      next: { kind: "more_memory", memory_mib: 64 * GIB },
    }),
    over("stoppedone01", "digits", 5, { code: "stopped", text: "You stopped it.", advice: null, exit_code: 0, ...seen }),
    over(
      "timelimit001",
      "long-run",
      26,
      { code: "time_limit", text: "Its 8 hours were over.", advice: "Choose a longer time.", exit_code: null, ...seen },
      { environment_title: "PyTorch", environment_version: "2.13", environment: "pytorch" },
    ),
    over("appfailed001", "broken-env", 30, {
      code: "app_failed",
      text: "JupyterLab ended by itself with exit code 1.",
      advice: "The end of the log says why.",
      exit_code: 1,
      seen: true,
      next: { kind: "log" },
    }),
    ...Array.from({ length: 9 }, (_, index) =>
      over(`older${String(index).padStart(7, "0")}`, `run-${9 - index}`, 50 + index * 20, {
        code: "finished",
        text: "JupyterLab was closed from inside.",
        advice: null,
        exit_code: 0,
        ...seen,
      }),
    ),
  ];
}

export const LOG = Array.from(
  { length: 60 },
  (_, index) => `[I 2026-11-24 09:12:${String(index).padStart(2, "0")} ServerApp] ${index === 59 ? "Jupyter Server is ready" : `extension ${index} was successfully loaded`}`,
).join("\n");
