// Every sentence about the session, and how its numbers read; the same formats as in the portal (frontend/src/lib).
export const sessionWords = {
  about: "Time, use and messages of this session",
  bar: "Session: time left and use. Details",
  panel: "Session",
  node: "Node",
  cpu: "CPU",
  memory: "Memory",
  gpus: "GPUs",
  time: "Time",
  percent: (value) => `${Math.round(value)} %`,
  of: (used, all) => `${used} of ${all}`,
  cores: (used, count) => `${used} of ${count} ${count === 1 ? "core" : "cores"}`,
  used: (part, whole) => `${part} of ${whole} used`,
  ends: (at) => `Ends ${at}`,
  left: (length) => `${length} left`,
  over: "Time is up",
  gpuCount: (count) => `${count} GPU${count === 1 ? "" : "s"}`,
  gpu: (index) => `GPU ${index}`,
  gpuUse: "GPU use",
  onAverage: (percent) => `${percent} on average since the start`,
  gpuLine: (percent) => `GPU use over the session: ${percent} on average`,
  unmeasured: "not measured yet",
  away: "The portal does not answer at the moment; these are its last figures.",
  page: "Session page",
  category: "Session",
  showSession: "Time Left and Use",
  extendSession: "Extend Session",
  stopSession: "Stop Session",
  sessionPage: "Session Page",
  newJob: "New Job from This Notebook",
  newJobAbout: "Save this notebook, and open the portal's form for a job that runs it",
  notSaved: (name) => `${name} could not be saved. The job would run what was saved before.`,
  newJobAnyway: "New job anyway",
  search: "Search the Portal",
  searchAbout: "Open the portal's command palette: sessions, jobs, nodes, pages",
  extend: "Extend",
  extendBy: "Extend by",
  add: (length) => `+ ${length}`,
  extended: (length) => `Extended: ${length} left.`,
  asking: "Asking what is possible …",
  stop: "Stop",
  stopping: "The session is stopping.",
  stopTitle: (name) => `Stop ${name}?`,
  stopBody:
    "JupyterLab ends with everything running in it. You lose kernels and their variables, terminals and unsaved changes. Saved files stay in your home folder.",
  keep: "Keep running",
  stopSure: "Stop session",
  ended: "This session has ended",
  endedTitle: (name) => `${name ?? "This session"} has ended`,
  savedStay: "Saved files are in your home folder.",
  stillHere: (names) => `Not saved, but still in this tab: ${names}.`,
  again: "Start again",
  stay: "Stay here",
  unreachableTitle: "The session does not answer",
  unreachableText: "As far as the portal knows it is still running. JupyterLab goes on by itself once it answers.",
  bothAway: "Neither does the portal. JupyterLab goes on by itself once they answer.",
  lastOpen: (names, more) => `Open in your last session: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  openAgain: "Open again",
  notReopened: (path) => `${path} could not be opened.`,
  endsIn: (length) => `This session ends in ${length}.`,
  unsaved: (names, more) => `Unsaved: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  unsavedCount: (count) => `${count} ${count === 1 ? "file is" : "files are"} not saved.`,
  idle: (length) => `Idle for ${length}: no GPU, kernel, terminal or file is in use.`,
  idleEnds: (idle, left) => `${idle} The session will be ended in ${left}.`,
  snooze: (length) => `Snooze for ${length}`,
  extendNow: (length) => `Extend by ${length}`,
  outOfMemory: (all, killed) => `Out of memory: ${all} of ${all}. ${killed} was killed.`,
  someProcess: "A process of this session",
  kernelOf: (name) => `The kernel of ${name}`,
  againWith: (amount) => `Start again with ${amount}`,
  againOn: (gpu) => `Start again on ${gpu}`,
  againElsewhere: "Start again on another node",
  readLog: "Read the log",
  editAndStart: "Edit and start",
  message: (author, text) => `${author}: ${text}`,
  messageFrom: (author) => `Message from ${author}`,
  markRead: "Mark as read",
  readAll: "Read all of it",
  close: "Close",
  hide: "Hide until this tab is closed",
  unreachable: "The session does not answer. Is it still running?",
};

/** A duration in its two largest units: `3 h 12 min`, `2 days 4 h`, `40 s`. */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const days = Math.floor(whole / 86_400);
  const parts = [
    days > 0 && `${days} day${days === 1 ? "" : "s"}`,
    whole % 86_400 >= 3600 && `${Math.floor((whole % 86_400) / 3600)} h`,
    whole % 3600 >= 60 && `${Math.floor((whole % 3600) / 60)} min`,
  ];
  return parts.filter(Boolean).slice(0, 2).join(" ");
}

/** `98304` → `96 GB`, `512` → `512 MB`. A GB here is 1024 MiB, as in Slurm. */
export function gb(mib) {
  if (Math.round(mib) < 1024) return `${Math.round(mib)} MB`;
  const value = Math.round(mib) / 1024;
  // Not by toLocaleString: its first call takes some milliseconds while JupyterLab's page loads.
  return `${String(Number(value.toFixed(value >= 100 ? 0 : 1))).replace(/\B(?=(\d{3})+$)/g, ",")} GB`;
}

/** The mean use of the GPUs in percent; null if none reports it. */
export function gpuUse(usage) {
  const known = (usage?.gpus ?? []).map(({ utilization }) => utilization).filter((one) => one !== null && one !== undefined);
  return known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : null;
}
