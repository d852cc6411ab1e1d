// Every sentence the app says. Another language is another file of this shape; what the server says arrives in words
// already. Functions take the values that stand inside a sentence. Areas with much to say have files of their own.
import { adminStrings, announcementWords, messageWords } from "./admin";
import { adminSessions } from "./adminSessions";
import { apps } from "./apps";
import { audit } from "./audit";
import { clusterStrings } from "./cluster";
import { compose } from "./compose";
import { copies } from "./copies";
import { environments } from "./environments";
import { files } from "./files";
import { healthStrings } from "./health";
import { images } from "./images";
import { jobs } from "./jobs";
import { launch } from "./launch";
import { notifications } from "./notifications";
import { output } from "./output";
import { plural } from "./plural";
import { editors, ends, ports, session, sessionChange, sessionTime, sessions, sharing, stateWords, states, stop } from "./sessions";
import { templates } from "./templates";
import { usageStrings } from "./usage";

export const strings = {
  admin: adminStrings,
  adminSessions,
  announcements: announcementWords,
  apps,
  audit,
  cluster: clusterStrings,
  compose,
  copies,
  editors,
  ends,
  environments,
  files,
  health: healthStrings,
  images,
  jobs,
  launch,
  messages: messageWords,
  notifications,
  output,
  ports,
  session,
  sessionChange,
  sessionTime,
  sessions,
  sharing,
  stateWords,
  states,
  stop,
  templates,
  usage: usageStrings,

  /** Language tag of this file: for dates and numbers. Times are of 24 hours. */
  locale: "en-GB",
  title: (page: string | null, site: string) => (page === null ? site : `${page} · ${site}`),
  siteFallback: "Data Scientist Portal",
  skipToContent: "Skip to content",

  table: {
    sortBy: (column: string) => `Sort by ${column}`,
    selectAll: "Select all",
    select: (name: string) => `Select ${name}`,
  },
  pages: {
    range: (from: number, to: number, all: string) => `${from}–${to} of ${all}`,
    previous: "Previous page",
    next: "Next page",
  },

  time: {
    justNow: "just now",
    ago: (span: string) => `${span} ago`,
    in: (span: string) => `in ${span}`,
    left: (span: string) => `${span} left`,
    over: "time is up",
    ofLimit: (limit: string) => `of ${limit}`,
    started: "Started",
    ends: "Ends",
    days: (n: number) => plural(n, "day"),
    hours: (n: number) => `${n} h`,
    minutes: (n: number) => `${n} min`,
    seconds: (n: number) => `${n} s`,
    tomorrow: (time: string) => `tomorrow ${time}`,
    yesterday: (time: string) => `yesterday ${time}`,
    unknown: "unknown",
  },

  size: {
    gb: (n: string) => `${n} GB`,
    mib: (n: string) => `${n} MiB`,
    mb: (n: number | string) => `${n} MB`,
    kb: (n: string) => `${n} KB`,
    b: (n: string) => `${n} B`,
    of: (used: string, all: string) => `${used} of ${all}`,
  },

  gpuUse: {
    gpu: (index: number) => `GPU ${index}`,
    sms: (share: string) => `SMs ${share} busy`,
    bandwidth: (share: string) => `memory bandwidth ${share}`,
    traffic: (link: string, amount: string) => `${link} ${amount}/s`,
    countedTitle: "Means since the last report, from the GPU's performance counters",
    processes: "Processes on the GPUs",
    onGpu: "GPU",
    process: "Process",
    memory: "Memory",
  },

  siteFields: {
    shards: "Part of a GPU",
    whole: "whole GPUs",
    shardsOf: (count: number, all: number) => (all < count ? plural(count, "shard") : `${count} of ${plural(all, "shard")} of a GPU`),
    mpsOf: (percent: number) => `${percent} % of a GPU`,
    features: "Features",
    featuresHint: "Nodes must have all of those that you choose.",
    feature: (name: string, nodes: number) => `${name} (${plural(nodes, "node")})`,
    licenses: "Licences",
    free: (free: number, all: number) => `${free} of ${all} free`,
    wckey: "WCKey",
    wckeyDefault: "default",
    exclusive: "Whole node",
    exclusiveHint: "With all its GPUs, cores and memory. All of them count towards your limits.",
    exclusiveAlways: (partition: string) => `Slurm gives every job whole nodes on ${partition}.`,
    wholeNodes: (nodes: number) => (nodes > 1 ? "whole nodes" : "whole node"),
    licensesOf: (name: string, count: number) => `${count} × ${name}`,
  },

  resources: {
    gpus: (count: number, type: string | null, shards = 0, mpsPercent = 0) => {
      if (count === 0 && shards > 0) return `${plural(shards, "shard")} of a ${type?.toUpperCase() ?? "GPU"}`;
      if (count === 0 && mpsPercent > 0) return `${mpsPercent} % of a ${type?.toUpperCase() ?? "GPU"}`;
      if (count === 0) return "no GPU";
      return `${count} × ${type === null ? "GPU" : type.toUpperCase()}`;
    },
    cores: (count: number) => plural(count, "core"),
    coresUsed: (used: string, all: number) => `${used} of ${plural(all, "core")}`,
    nodes: (count: number) => plural(count, "node"),
    summary: (parts: { nodes: number; gpus: string; cores: string; memory: string; more: string[]; time: string; partition: string }) => {
      const each = parts.nodes > 1 ? `${parts.nodes} nodes, each ` : "";
      const where = parts.partition === "" ? "" : ` on ${parts.partition}`;
      return `${each}${[parts.gpus, parts.cores, parts.memory, ...parts.more].join(", ")} for ${parts.time}${where}`;
    },
    compact: (gpus: string, cores: string, memory: string) => `${gpus} · ${cores} · ${memory}`,
  },

  cells: {
    free: (free: number, total: number, type?: string) => `${free} of ${total} ${type ?? "GPUs"} free`,
    busy: (count: number, mine = 0) =>
      `${count} in use${mine === 0 ? "" : mine === count ? ", all yours" : `, ${mine} of them yours`}`,
    reserved: (count: number) => `${count} reserved`,
    down: (count: number) => `${count} out of service`,
    wanted: (count: number) => `${count} chosen`,
    use: (percents: string[]) => `GPU use ${percents.join(", ")}`,
    several: (each: number) => `each cell stands for ${plural(each, "GPU")}`,
  },

  nav: {
    label: "Main",
    bottomLabel: "Bottom bar",
    sessions: "Sessions",
    jobs: "Jobs",
    newJob: "New job",
    templates: "Templates",
    cluster: "Cluster",
    environments: "Environments",
    admin: "Admin",
    newSession: "New session",
    newShort: "New",
    free: (free: number, total: number) => `${free} of ${total}`,
    gpusFree: "GPUs free",
    freeUnknown: "Free GPUs unknown",
    more: "More",
    searchHint: "Search pages and sessions",
    theme: { label: "Theme", system: "System", light: "Light", dark: "Dark" },
    user: (name: string) => `User: ${name}`,
    administrator: "Administrator",
    tokens: "API tokens",
    docs: "Documentation",
    apiDocs: "API reference",
    keys: "Keyboard shortcuts",
    support: "Help",
    logout: "Log out",
  },

  live: {
    slurmDown: (since: string | null) => `Slurm has not answered${since === null ? "" : ` since ${since}`}.`,
    slurmDownAdvice: "Running sessions continue; new ones cannot start until it answers again. This page shows the state at that time.",
    missingSince: (since: string) => `Since ${since}. The administrators can see it.`,
    missingSinceAdmin: (since: string) => `Since ${since}. See Admin, Health.`,
    lost: (since: string) => `Not live since ${since}: reconnecting to the portal.`,
    lostAdvice: "What you see may be out of date. Running sessions are not affected.",
    expiredTitle: "You are logged out",
    expired: "Your login has expired. What you typed is kept: log in to return to this page.",
    login: "Log in",
    asOf: (time: string) => `as of ${time}`,
  },

  palette: {
    label: "Command palette",
    placeholder: "Go to a page, a session or a job…",
    none: "Nothing matches.",
    pages: "Pages",
    actions: "Actions",
    sessions: "Sessions",
    folders: "Folders",
    themeTo: (theme: string) => `Theme: ${theme}`,
  },

  keys: {
    title: "Keyboard shortcuts",
    list: [
      { keys: ["n"], does: "New session" },
      { keys: ["b"], does: "New batch job" },
      { keys: ["/"], does: "Filter the list on this page" },
      { keys: ["Ctrl", "K"], does: "Go to a page, a session or a job (⌘K on a Mac)" },
      { keys: ["?"], does: "This list" },
      { keys: ["↑", "↓"], does: "Move from job to job; with Shift, select them" },
      { keys: ["Space"], does: "Select the job" },
      { keys: ["Esc"], does: "Close what is open" },
    ],
  },

  dialog: { close: "Close" },

  any: "any",

  notify: {
    ready: (name: string) => `${name} is ready`,
    readyBody: (app: string, node: string | null) => `${app}${node === null ? "" : ` on ${node}`} can be opened.`,
    ended: (name: string) => `${name} has ended`,
    soon: (name: string, left: string) => `${name} ends ${left}`,
    soonBody: "Save your work: everything in the session stops at its time limit.",
  },

  errors: {
    retry: "Try again",
    request: (id: string) => `Request ${id}`,
    loading: "Could not load this",
    stopFailed: "Could not stop the session",
    crashTitle: "This page crashed",
    crashText: "The rest of the portal still works. Reload the page; if it crashes again, tell the administrators what you did.",
    reload: "Reload",
    newVersion: "The portal was updated. Reload the page to continue.",
  },

  problems: {
    expired: { message: "You are logged out.", hint: "Log in again; what you typed is kept." },
    forbidden: { message: "You are not allowed to do this.", hint: "Ask the administrators if you need it." },
    missing: { message: "This no longer exists.", hint: "Go back to the list and look again." },
    refused: { message: "The portal refused the request.", hint: "Change the request and try again." },
    later: { message: "The portal does not answer.", hint: "Try again in a minute." },
    offline: { message: "The portal cannot be reached.", hint: "Check your network. Running sessions are not affected." },
    broken: { message: "Something went wrong in the portal.", hint: "Try again; if it happens again, tell the administrators." },
  },

  notFound: {
    title: "Page not found",
    text: "There is nothing at this address.",
    home: "Go to your sessions",
  },
};
