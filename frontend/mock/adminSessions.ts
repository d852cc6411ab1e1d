// Invented sessions of everybody, and what becomes of them when administrators act.
import type { Session } from "../src/api/types";
import { session, sessions } from "./sessions";
import { resources } from "./site";
import { ago, ahead } from "./units";

export const everybodys = (): Session[] => [
  ...sessions().filter(({ state }) => state !== "ended"),
  session({
    id: "carolsession",
    name: "<img src=x onerror=alert(1)>",
    owner: "carol",
    node: "node004",
    resources: resources({ gpus: 2, walltime_s: 4 * 3600 }),
    ends_at: ahead(1500),
    used_at: ago(2.4 * 3600),
    usage: {
      at: ago(12),
      cpu_percent: 3,
      memory_mib: 2100,
      gpus: [0, 1].map((index) => ({ index, uuid: "", name: "V100", utilization: 0, memory_used_mib: 4000, memory_total_mib: 32_768 })),
    },
  }),
];

export const ended = (): Session[] => sessions().filter(({ state }) => state === "ended");

interface Asked {
  sessions: string[];
  beyond_limits?: boolean;
}

/** Carol's limit stands in the way of more time, unless it is insisted. */
export function results(action: string, asked: Asked) {
  return asked.sessions.map((id) => {
    const refused = action === "extend" && id === "carolsession" && asked.beyond_limits !== true;
    return { id, ok: !refused, message: refused ? "A session of carol may last 4 h at most." : "Done." };
  });
}
