// Invented people and limits.
import { HOUR, ago } from "./units";

export const limits = (version = 3) => ({
  items: [
    {
      kind: "group" as const,
      name: "students",
      max_gpus: 1,
      max_sessions: 2,
      max_walltime_s: 4 * HOUR,
      max_gpu_hours: 100,
      partitions: ["debug"],
      gpu_types: null,
      group_max_gpus: 8,
      group_max_gpu_hours: 2000,
      changed_by: "admin",
      changed_at: ago(86_400),
      version,
    },
  ],
  configured: [{ group: "vision", max_gpus: 16, max_sessions: null, max_walltime_s: null, partitions: null, group_max_gpus: 32, group_max_gpu_hours: null }],
  site: { max_gpus: 8, max_sessions: 10, max_walltime_s: 48 * HOUR },
});

export const person = (username: string) => ({
  username,
  display_name: "Bob Ross",
  mail: "bob@example.org",
  groups: ["portal-users", "vision"],
  admin: false,
  allowed: true,
  sessions: 2,
  gpus: 3,
  gpu_hours_used: 25.5, gpu_hours_promised: 16,
  limits: { max_gpus: 16, max_sessions: 10, max_walltime_s: 48 * HOUR, max_gpu_hours: null, partitions: null, gpu_types: null },
  pools: [{ group: "vision", max_gpus: 32, max_gpu_hours: null, gpus: 19, gpu_hours_used: 410, gpu_hours_promised: 96 }],
});

export const slurmLimits = () => ({
  enforced: true,
  items: [
    { kind: "account" as const, name: "vision", account: "", partition: "", limits: { GrpTRES: "gres/gpu=32" } },
    { kind: "user" as const, name: "bob", account: "vision", partition: "sxm2", limits: { MaxWall: "2-00:00:00" } },
    { kind: "qos" as const, name: "normal", account: "", partition: "", limits: { MaxTRESPU: "gres/gpu=8", MaxSubmitPU: "100" } },
  ],
});

const directory = { as_of: ago(20), silent_since: null, message: null };
const nothing = { sessions: 0, gpus: 0, gpu_hours_used: 0, gpu_hours_promised: 0 };
const someone = (username: string, name: string) => ({
  username,
  display_name: name,
  mail: `${username}@example.org`,
  in_directory: true,
  groups: ["portal-users", "vision"],
  admin: username === "admin",
  allowed: true,
  limit: null,
  ...nothing,
});

const PEOPLE = [
  { ...someone("bob", "Bob Ross"), sessions: 2, gpus: 3, gpu_hours_used: 25.5, gpu_hours_promised: 16 },
  someone("admin", "Ada Minister"),
  someone("mallory", "<img src=x onerror=alert(1)>"),
];

export const everybody = (query: string) => {
  const items = PEOPLE.filter(({ username, display_name }) => `${username} ${display_name}`.includes(query));
  return { items, total: items.length, directory };
};

export const groups = () => ({
  items: [{ name: "students", members: 42, admin: false, login: true, limit: limits().items[0] ?? null, ...nothing }],
  total: 1,
  directory: { ...directory, silent_since: ago(300), message: "The directory does not answer." },
});
