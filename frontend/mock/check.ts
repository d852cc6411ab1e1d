// A little of the portal's policy, enough to see the form's looks. The real one is portal/policy.
import type { Check, SessionAsked } from "../src/api/types";
import { holdsEvents } from "./software";
import type { World } from "./world";

export function check(asked: SessionAsked, world: World): Check {
  const resources = world.fill(asked);
  const { partitions, policy } = world.options();
  const partition = partitions.find((item) => item.name === resources.partition);
  const problems: Check["problems"] = [];
  const refuse = (field: string, message: string) => problems.push({ field: `resources.${field}`, message });
  if (partition === undefined) refuse("partition", `There is no partition “${resources.partition}”. Choose another.`);
  else {
    if (resources.gpus > partition.per_node.gpus) {
      refuse("gpus", `A node of ${partition.name} has ${partition.per_node.gpus} GPUs. Ask for at most ${partition.per_node.gpus}.`);
    }
    if (partition.max_walltime_s !== null && resources.walltime_s > partition.max_walltime_s) {
      refuse("walltime_s", `Sessions on ${partition.name} may last ${partition.max_walltime_s / 60} min at most.`);
    }
  }
  const folder = world.options().apps.find(({ name }) => name === asked.app)?.options.find(({ required }) => required);
  if (folder !== undefined && !asked.options?.[folder.name]) {
    problems.push({ field: `options.${folder.name}`, message: `${folder.label}: a value is required.` });
  }
  if (resources.walltime_s <= 0) refuse("walltime_s", "A session needs some time: choose at least 1 minute.");
  if (resources.gpus + policy.gpus_in_use > policy.max_gpus) {
    refuse("gpus", `Your group may use ${policy.max_gpus} GPUs at once; ${policy.gpus_in_use} are in use.`);
  }
  const pools = partition?.gpus.filter(({ type }) => resources.gpu_type === null || type === resources.gpu_type) ?? [];
  const free = Math.max(0, ...pools.map((pool) => pool.most_free_on_a_node));
  const now = resources.gpus <= free;
  return {
    ok: problems.length === 0,
    problems,
    warnings: warningsOf(asked),
    resources,
    summary: `${resources.gpus} × ${(resources.gpu_type ?? "GPU").toUpperCase()}, ${resources.cpus} cores, ${resources.memory_mib / 1024} GB for ${resources.walltime_s / 3600} h on ${resources.partition}`,
    starts: now ? "now" : "later",
    estimate: now ? null : { wait: { least_s: 600, most_s: 2400, count: 64 }, ahead_by: null },
    alternatives:
      now || free === 0
        ? []
        : [
            {
              resources: { ...resources, gpus: free, cpus: free * 8, memory_mib: free * 49_152 },
              text: `${free} × ${(resources.gpu_type ?? "GPU").toUpperCase()} instead of ${resources.gpus}`,
            },
          ],
    starts_text: now ? "starts now" : `would wait for ${resources.gpus - free} free GPUs`,
  };
}

function warningsOf({ app, options }: SessionAsked): Check["warnings"] {
  const folder = options?.["folder"];
  if (app !== "tensorboard" || typeof folder !== "string" || folder === "" || holdsEvents(folder)) return [];
  return [{ field: "options.folder", message: "No event files yet: TensorBoard will wait for them." }];
}
