// Invented people and limits.
import { ago } from "./data";

const HOUR = 3600;

export const limits = () => ({
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
      changed_by: "admin",
      changed_at: ago(86_400),
      version: 3,
    },
  ],
  configured: [{ group: "vision", max_gpus: 16, max_sessions: null, max_walltime_s: null, partitions: null }],
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
  gpu_hours: 41.5,
  limits: { max_gpus: 16, max_sessions: 10, max_walltime_s: 48 * HOUR, max_gpu_hours: null, partitions: null, gpu_types: null },
});
