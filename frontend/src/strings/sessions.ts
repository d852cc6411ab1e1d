// Words of sessions: list, page, how they stand and end.
export const states = {
  submitted: "Submitted",
  queued: "Queued",
  allocated: "Allocated",
  starting: "Starting",
  ready: "Ready",
  stopping: "Stopping",
  ended: "Ended",
};

export const ends = {
  finished: "Finished",
  stopped: "Stopped",
  cancelled: "Cancelled",
  time_limit: "Time limit reached",
  idle: "Ended as idle",
  oom: "Out of memory",
  app_failed: "The app failed",
  no_jupyter: "No Jupyter in its environment",
  gpu_oom: "GPU out of memory",
  start_timeout: "Did not start in time",
  stopped_by_admin: "Stopped by an administrator",
  preempted: "Preempted",
  slurm_cancelled: "Cancelled in Slurm",
  node_failed: "The node failed",
  other: "Failed",
};

export const sessions = {
  title: "Sessions",
  running: "Running",
  ended: "Ended",
  showMore: "Show more",
  now: (name: string, state: string) => `${name}: ${state}.`,
  open: "Open",
  stop: "Stop",
  cancel: "Cancel",
  stopping: "Stopping…",
  startAgain: "Start again",
  startAgainWith: (amount: string) => `Start again with ${amount}`,
  startAgainOn: (gpu: string) => `Start again on ${gpu}`,
  startAgainElsewhere: "Start again on another node",
  readLog: "Read the log",
  endedBadly: "Ended badly",
  dismiss: "Dismiss",
  dismissed: (name: string) => `${name} is no longer shown on top.`,
  undo: "Undo",
  place: (position: number, of: number) => `${ordinal(position)} of ${of} in the queue`,
  expected: (clock: string) => `expected ${clock}`,
  expectedUnknown: "start time unknown",
  usage: (cpu: string, memory: string) => `CPU ${cpu} · ${memory}`,
  emptyTitle: "No session is running",
  emptyText: "A session runs an app on a compute node with the GPUs you choose, until you stop it or it reaches its time limit.",
  filter: "Filter sessions",
  filterNone: (text: string) => `No running session matches “${text}”.`,
  starts: {
    notebook: { title: "Notebook", text: "JupyterLab with Python, a terminal and your files." },
    template: { title: "From a template", text: "A notebook that runs from start to end, for each framework." },
    terminal: { title: "Terminal", text: "A shell on a compute node." },
  },
  loading: "Loading sessions",
  details: (name: string) => `Details of ${name}`,
};

export const stop = {
  title: (name: string) => `Stop ${name}?`,
  lost: (app: string, node: string | null) =>
    `${app}${node === null ? "" : ` on ${node}`} ends with everything running in it. You lose kernels and their variables, terminals and unsaved changes.`,
  kept: "Saved files stay in your home folder.",
  gpus: (gpus: string) => `${gpus} will be free for others.`,
  confirm: "Stop session",
  keep: "Keep running",
};

export const sessionTime = {
  extend: "Extend",
  shorten: "End sooner",
  title: (name: string) => `Time limit of ${name}`,
  now: "Now:",
  more: "More time",
  add: (span: string) => `+ ${span}`,
  less: "End sooner, to free its resources",
  endIn: (span: string) => `End in ${span}`,
  failed: "The time limit was not changed",
};

/** Words for what Slurm does to a job in a state. */
export const stateWords = { held: "Held", suspended: "Suspended" };

export const sessionChange = {
  action: "Change",
  title: (name: string) => `Change what ${name} requests`,
  cores: "Cores",
  memory: "Memory (GB)",
  time: "Time limit",
  timeBad: "Write it as 90m, 4h or 1d12h.",
  partition: "Partition",
  account: "Account",
  nothing: "This is what it already requests.",
  then: (starts: string) => (starts === "" ? "" : `With this change it ${starts}.`),
  change: "Change",
  newJob: "Change with a new job",
  failed: "It was not changed",
};

export const session = {
  ran: "Ran for",
  gpuUse: "GPU use",
  ofLimit: (time: string, limit: string) => `${time} of ${limit}`,
  peak: (amount: string) => `${amount} at most`,
  peakOf: (peak: string, limit: string) => `${peak} at most, of ${limit}`,
  limitOf: (limit: string) => `limited to ${limit}`,
  lastLines: "Last lines of the log",
  time: "Time",
  stages: "Progress",
  readyAfter: (took: string) => `ready after ${took}`,
  closeTab: "You can close this tab; the session will start anyway.",
  autoOpen: (app: string) => `Open ${app} here as soon as it is ready`,
  opening: (app: string) => `Opening ${app}…`,
  notify: "Notify me when it is ready",
  notifyOn: "You will get a notification when it is ready.",
  notifyDenied: "This browser blocks notifications for this site.",
  details: "Details",
  jobId: "Slurm job",
  node: "Node",
  app: "App",
  environment: "Environment",
  resources: "Resources",
  partition: "Partition",
  account: "Account",
  qos: "QOS",
  reservation: "Reservation",
  timeLimit: "Time limit",
  created: "Submitted",
  started: "Started",
  readyAt: "Ready",
  ends: "Ends",
  endedAt: "Ended",
  exitCode: "Exit code",
  usage: "Use",
  outOfMemory: {
    title: "Out of memory",
    text: (kills: number, memory: string) =>
      `${kills === 1 ? "A process of this session was" : `${kills} processes of this session were`} killed, such as a notebook's kernel, because the session used all of its ${memory} of memory. The session itself keeps running.`,
  },
  idle: {
    title: "Idle",
    titleEnds: (at: string) => `Idle: it will be ended at ${at}`,
    since: "since",
    text: "None of its GPUs, kernels, terminals or files is in use. Stop the session if you no longer need it: others may be waiting for its GPUs.",
    textEnds: "None of its GPUs, kernels, terminals or files is in use. To keep the session, run something in it, or snooze.",
    snooze: (length: string) => `Snooze for ${length}`,
    left: (count: number) => (count === 0 ? "No snoozes left." : count === 1 ? "1 snooze left." : `${count} snoozes left.`),
    short: (at: string) => `idle, ends at ${at}`,
  },
  usageNone: "The first report comes within a minute of the start.",
  cpu: "CPU",
  gpuUnknown: "GPU use is not reported on this node.",
  memory: "Memory",
  gpu: (index: number) => `GPU ${index}`,
  gpuProcesses: "GPU memory by process:",
  gpuProcess: (gpu: string, name: string, pid: number, memory: string) => `${gpu}: ${name} (${pid}) ${memory}`,
  log: "Log",
  logShow: "Show log",
  logHide: "Hide log",
  notFoundTitle: "Session not found",
  notFoundText: "It may belong to another user, or be so old that its record is gone.",
  toSessions: "Go to your sessions",
  templateNext: "The notebook you chose opens in it.",
  eventsLost: "Progress is not live; reconnecting.",
  stageNotReached: "not reached",
  noWait: "no wait",
  since: (span: string) => `for ${span}`,
  after: (span: string) => `after ${span}`,
  code: (code: string) => `Slurm: ${code}`,
};

function ordinal(n: number): string {
  const rest = n % 100;
  if (rest >= 11 && rest <= 13) return `${n}th`;
  return `${n}${["th", "st", "nd", "rd"][n % 10] ?? "th"}`;
}

export const ports = {
  action: "Open a port…",
  title: (session: string) => `Open a port of ${session}`,
  listening: "Ports on which programs of this session listen",
  none: "No program of this session is listening on a port yet. Start one, and it appears here within seconds.",
  open: "Open",
  openPort: (port: number) => `Open port ${port}`,
  number: "Port",
  help: "Any other port, also one on which nothing listens yet.",
  range: (least: number, most: number) => `Enter a number from ${least} to ${most}.`,
  docs: "How it works",
};

export const editors = {
  setUp: "On your machine, after portal ssh-config",
  vscode: "Open in VS Code",
  cursor: "Open in Cursor",
  zed: "Open in Zed",
  gateway: "Open in JetBrains Gateway",
  firstTime: "The first time: how to set it up",
  download: "Download the portal program for SSH",
};
