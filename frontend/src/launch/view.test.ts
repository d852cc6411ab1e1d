import { describe, expect, it } from "vitest";

import { followed } from "~/api/ratio";
import { EMPTY, type Draft } from "~/api/sessionDraft";
import type { Options } from "~/api/types";
import { options } from "../../mock/site";
import { timeProblem, timeRefused, viewOf, whyFollows } from "./view";

const NOW = new Date("2026-11-24T12:00:00").getTime();
const view = (draft: Partial<Draft> = {}, of: Options = options()) => viewOf({ ...EMPTY, ...draft }, of, NOW);

describe("followed", () => {
  const { policy } = options();
  it.each([
    [0, 2, 8],
    [1, 8, 48],
    [3, 24, 144],
  ])("brings with %d GPUs %d cores and %d GB", (gpus, cpus, gib) => {
    expect(followed(gpus, policy)).toEqual({ cpus, memoryMib: gib * 1024 });
  });
  it("brings no more than a node has", () => {
    expect(followed(9, policy, { gpus: 4, cpus: 40, memory_mib: 384_000 })).toEqual({ cpus: 40, memoryMib: 384_000 });
  });
});

describe("viewOf", () => {
  it("shows the policy's choice for an empty form", () => {
    expect(view()).toMatchObject({
      linked: true,
      app: { name: "jupyterlab" },
      environment: { name: "base" },
      partition: { name: "sxm2" },
      resources: { gpus: 1, cpus: 8, memory_mib: 48 * 1024, walltime_s: 28_800, partition: "sxm2" },
    });
  });
  it("lets cores and memory follow the GPUs, each until it is set by hand", () => {
    expect(view({ gpus: 3 }).resources).toMatchObject({ cpus: 24, memory_mib: 144 * 1024 });
    expect(view({ gpus: 3, cpus: 5 })).toMatchObject({ linked: false, resources: { cpus: 5, memory_mib: 144 * 1024 } });
  });
  it("says why six GPUs come with fewer cores than six times one", () => {
    const { policy, ...of } = options();
    const larger = { ...of, policy: { ...policy, cpus_per_gpu: 16 } };
    expect(whyFollows(view({ partition: "debug", gpus: 2 }, larger), larger.policy)).toBe("Each GPU comes with 16 cores and 48 GB.");
    expect(whyFollows(view({ partition: "debug", gpus: 4 }, larger), larger.policy)).toBe(
      "Each GPU comes with 16 cores and 48 GB, up to what a node in debug has.",
    );
  });
  it("shortens the default time to what the partition allows", () => {
    expect(view({ partition: "debug" }).resources.walltime_s).toBe(1800);
    expect(view({ partition: "debug" }).maxWalltime).toBe(1800);
  });
  it("names the only GPU type there is, and none for several", () => {
    expect(view({ partition: "debug" }).resources.gpu_type).toBe("v100");
    expect(view().resources.gpu_type).toBeNull();
    expect(view({ gpus: 0, gpuType: "v100" }).resources.gpu_type).toBeNull();
  });
  it("adds up the GPUs of all types, or shows those of the chosen one", () => {
    expect(view().pool).toMatchObject({ total: 24, free: 12, most_free_on_a_node: 4 });
    expect(view({ gpuType: "a100" }).pool).toMatchObject({ total: 8, free: 3 });
    expect(view({ partition: "physics" }).pool).toBeUndefined();
  });
  it("offers an app only its environments", () => {
    const terminal = view({ app: "terminal" });
    expect(terminal.environments.map(({ name }) => name)).toEqual(["base"]);
  });
  it("shows nothing for an environment or a partition that does not exist", () => {
    expect(view({ environment: "gone" }).environment).toBeUndefined();
    expect(view({ partition: "gone" })).toMatchObject({ partition: undefined, resources: { partition: "gone" } });
  });
  it("stands without any snapshot of Slurm", () => {
    const blind = { ...options(), partitions: [], defaults: { app: "jupyterlab", environment: null, resources: null } };
    expect(view({}, blind).resources).toMatchObject({ gpus: 1, cpus: 8, walltime_s: 28_800, partition: "" });
  });
});

describe("times", () => {
  it("says why a length is not to be had", () => {
    expect(timeRefused(3600, view({ partition: "debug" }))).toBe("1 h is over the limit of debug (30 min).");
    expect(timeRefused(3600, view())).toBeNull();
  });
  it("asks for an end only once someone tried to start", () => {
    const draft: Draft = { ...EMPTY, time: { kind: "until", at: "" } };
    expect(timeProblem(draft, NOW, false)).toBeNull();
    expect(timeProblem(draft, NOW, true)).toBe("Choose when the session should end.");
  });
  it("refuses an end in the past", () => {
    expect(timeProblem({ ...EMPTY, time: { kind: "until", at: "2026-11-24T11:00" } }, NOW, false)).toMatch(/in the past/);
  });
});
