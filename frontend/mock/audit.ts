// Invented entries of the audit.
import type { AuditEntry } from "../src/api/types";
import { ago } from "./units";

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
