// What the Cluster page says.
import { plural } from "./plural";

export const clusterStrings = {
  title: "Cluster",
  live: (age: string) => `Live, read ${age}`,
  stale: (since: string) => `Stale since ${since}: Slurm does not answer`,
  notLive: (since: string) => `Not live since ${since}`,
  loading: "Loading the cluster",

  views: { label: "Show", tiles: "Tiles", table: "Table", queue: "Queue" },

  filters: {
    label: "Filters",
    text: "Node name or part of it",
    queueText: "Job, name, user or node",
    partition: "Partition",
    gpuType: "GPU type",
    state: "State",
    feature: "Feature",
    clear: "Clear filters",
    mine: "Only mine",
  },

  states: {
    idle: "Idle",
    mixed: "In use",
    full: "Full",
    draining: "Draining",
    drained: "Drained",
    down: "Down",
    reserved: "Reserved",
    maintenance: "Maintenance",
    asleep: "Asleep",
  },
  /** Groups of states one can filter by. */
  stateFilters: { free: "With free GPUs", mine: "With mine" },

  nodes: (count: number) => plural(count, "node"),
  shownOf: (shown: number, all: number) => `${shown} of ${plural(all, "node")}`,
  none: "No nodes match these filters.",
  empty: "Slurm has not reported any nodes yet.",
  group: (name: string, nodes: number, free: number, total: number) =>
    `${name}: ${plural(nodes, "node")}${total === 0 ? "" : `, ${free} of ${plural(total, "GPU")} free`}`,
  noPartition: "No partition",
  noRack: "No rack",
  map: "Nodes",

  node: {
    free: (n: number) => `${n} free`,
    cores: (used: number, all: number) => `${used} of ${plural(all, "core")} in use`,
    reason: "Reason",
    reservation: "Reservation",
    reservedBy: (name: string) => `Reservation ${name}: only its jobs start here.`,
    jobs: "Jobs here",
    noJobs: "No jobs are running here.",
    partitions: "Partitions",
    features: "Features",
    gpus: "GPUs",
    gpu: (indices: number[]) => `GPU ${ranges(indices)}`,
    cpuOnly: "no GPU",
    cpus: "Cores",
    memory: "Memory",
    load: "Load",
    slurmState: "Slurm state",
    version: "slurmd",
    unsure: "probably: Slurm has not reported which",
    shared: "Jobs share a GPU in parts, so nobody can have that one whole.",
    unaccounted: "in use, but not by any job in the queue",
    inUse: (used: string, all: string) => `${used} of ${all} in use`,
    close: "Close",
    details: (name: string) => `Node ${name}`,
    gone: "This node is no longer in the cluster.",
  },

  table: {
    caption: "Nodes",
    name: "Node",
    state: "State",
    gpus: "GPUs",
    free: "Free",
    type: "Type",
    cpus: "Cores in use",
    memory: "Memory in use",
    partitions: "Partitions",
    reason: "Reason",
    select: (name: string) => `Select ${name}`,
    selectAll: "Select all shown",
  },

  legend: { label: "Legend", free: "free", busy: "in use", mine: "yours", shared: "shared in parts", reserved: "reserved", drained: "takes no new jobs", down: "down" },

  totals: {
    title: "Total",
    filtered: "Nodes shown",
    gpus: "GPUs",
    cpus: "Cores",
    memory: "Memory",
    free: (free: string, all: string) => `${free} of ${all} free`,
    used: (n: string) => `${n} in use`,
    mine: (n: string) => `${n} of them yours`,
    reserved: (n: string) => `${n} reserved`,
    down: (n: string) => `${n} out of service`,
  },

  history: {
    title: "History",
    span: "Span",
    spans: { hour: "Hour", day: "Day", week: "Week", month: "Month" },
    what: "Metric",
    whats: { gpus: "GPUs", cpus: "Cores", memory: "Memory", jobs: "Jobs" },
    total: "total",
    free: "free",
    used: "in use",
    reserved: "reserved",
    down: "out of service",
    running: "running",
    waiting: "waiting",
    summary: (what: string, least: string, most: string, now: string) =>
      `${what} in use: minimum ${least}, maximum ${most}, latest ${now}.`,
    jobsSummary: (most: string, waiting: string) => `Jobs: at most ${most} running and ${waiting} waiting.`,
    empty: "No data for this span yet: a point is added every minute.",
    unitGb: "GB",
  },

  queue: {
    title: "Queue",
    counts: (running: number, waiting: number) => `${running} running, ${waiting} waiting`,
    state: "State",
    states: { active: "Running and waiting", running: "Running", waiting: "Waiting", ended: "Ended" },
    job: "Job",
    user: "User",
    partition: "Partition",
    gpus: "GPUs",
    resources: "Resources",
    where: "Where",
    when: "Time",
    why: "Reason",
    caption: "Jobs",
    mine: "yours",
    hidden: "hidden",
    none: "No jobs match these filters.",
    empty: "The queue is empty.",
    notRead: "The queue is unknown: the portal has not read it from Slurm since it started.",
    place: (position: number, line: number) => `${ordinal(position)} of ${line} in the queue`,
    expected: (clock: string) => `expected ${clock}`,
    unknown: "start time unknown",
    ended: (when: string) => `ended ${when}`,
    ends: "ends",
    pages: "Pages of the queue",
    array: (tasks: string) => `tasks ${tasks}`,
    select: (id: number) => `Select job ${id}`,
  },

  job: {
    details: (id: number) => `Job ${id}`,
    name: "Name",
    account: "Account",
    qos: "QOS",
    priority: "Priority",
    nodes: "Nodes",
    submitted: "Submitted",
    started: "Started",
    ends: "Ends",
    endedAt: "Ended",
    expected: "Expected start",
    limit: "Time limit",
    line: "Position",
    reservation: "Reservation",
    why: "Reason",
    gone: "This job is no longer in the queue.",
    of: (user: string) => `of ${user}`,
  },

  /** Slurm's states in words; one that is not here is said as Slurm says it. */
  jobStates: {
    PENDING: "Waiting",
    RUNNING: "Running",
    CONFIGURING: "Preparing nodes",
    COMPLETING: "Ending",
    SUSPENDED: "Suspended",
    COMPLETED: "Finished",
    CANCELLED: "Cancelled",
    FAILED: "Failed",
    TIMEOUT: "Time limit reached",
    OUT_OF_MEMORY: "Out of memory",
    NODE_FAIL: "Node failed",
    PREEMPTED: "Preempted",
    REQUEUED: "Requeued",
    REQUEUE_HOLD: "Held",
  } as Record<string, string>,
};

/** `0-2, 5` for 0, 1, 2, 5. */
function ranges(numbers: number[]): string {
  const spans: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

function ordinal(n: number): string {
  const rest = n % 100;
  if (rest >= 11 && rest <= 13) return `${n}th`;
  return `${n}${["th", "st", "nd", "rd"][n % 10] ?? "th"}`;
}
