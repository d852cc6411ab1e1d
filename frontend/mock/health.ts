// The portal's health, with one part down.
import type { Health, Part } from "../src/admin/health/queries";
import { ago } from "./units";

const part = (name: string, title: string, more: Partial<Part> = {}): Part => ({
  name,
  title,
  state: "ok",
  since: ago(7200),
  message: "It answers.",
  do: "",
  checked_at: ago(4),
  took_ms: 3.1,
  ...more,
});

export const health = (): Health => ({
  at: ago(0),
  started_at: ago(7200),
  parts: [
    part("database", "Database"),
    part("directory", "Directory (LDAP)"),
    part("hub", "JupyterHub"),
    part("proxy", "Proxy"),
    part("slurmctld", "slurmctld"),
    part("slurmdbd", "slurmdbd", {
      state: "down",
      since: ago(600),
      message: "sacctmgr: error: Problem talking to the database.",
      do: "Run `sacctmgr show cluster`; look at slurmdbd.log.",
    }),
    part("watcher", "Slurm snapshot"),
  ],
  calls_per_minute: 14.5,
  calls: [
    { program: "squeue", per_minute: 12, median_ms: 14, slowest_ms: 41, failed: 0 },
    { program: "scontrol", per_minute: 2.5, median_ms: 9, slowest_ms: 12, failed: 0 },
  ],
  readers: 3,
  queue_as_of: ago(3),
  nodes_as_of: ago(11),
});
