import { describe, expect, it } from "vitest";

import { session } from "../../mock/sessions";
import { options, resources } from "../../mock/site";
import { EMPTY, askOf, draftOf, readDraft, walltimeOf, writeDraft, type Draft } from "./sessionDraft";

const NOW = new Date("2026-11-24T12:00:30").getTime();
const FULL: Draft = {
  app: "jupyterlab",
  environment: "pytorch",
  options: { folder: "~/runs & more", live: "true", empty: "" },
  modules: ["cuda/12.4", "shared/digits/6.1.1"],
  name: "bert fine-tune & more",
  gpus: 2,
  gpuType: "v100",
  gpuMemoryGb: 16,
  cpus: 20,
  memoryMib: 100_000,
  time: { kind: "for", seconds: 5400 },
  partition: "sxm2",
  account: "vision",
  qos: "high",
  reservation: "course",
  shards: null,
  mps: null,
  constraint: "a100&nvme",
  licenses: "matlab:2",
  wckey: "thesis",
  exclusive: true,
  nodes: 2,
  template: "pytorch-digits",
  version: "new",
  open: "~/work/a & b.ipynb",
  preset: "Two on sxm2",
  avoid: "node003",
};

describe("the launch URL", () => {
  it("holds the whole form and gives it back", () => {
    expect(readDraft(writeDraft(FULL))).toEqual(FULL);
    const until: Draft = { ...FULL, time: { kind: "until", at: "2026-11-24T18:00" } };
    expect(readDraft(writeDraft(until))).toEqual(until);
  });
  it("is empty when nothing is chosen", () => expect(writeDraft(EMPTY).toString()).toBe(""));
  it("keeps the choice of no GPU", () => expect(writeDraft({ ...EMPTY, gpus: 0 }).toString()).toBe("gpus=0"));
  it("reads nonsense as nothing chosen", () => {
    const query = new URLSearchParams("gpus=-1&cpus=1e9&memory_mib=x&time=soon&nodes=&app=");
    expect(readDraft(query)).toEqual(EMPTY);
  });
});

describe("askOf", () => {
  it("leaves to the policy what was not chosen", () => {
    expect(askOf(EMPTY, options(), NOW)).toEqual({ app: "jupyterlab", resources: {} });
  });
  it("sends what was chosen", () => {
    expect(askOf(FULL, options(), NOW)).toEqual({
      app: "jupyterlab",
      name: "bert fine-tune & more",
      environment: "pytorch",
      modules: ["cuda/12.4", "shared/digits/6.1.1"],
      avoid: "node003",
      resources: {
        partition: "sxm2",
        account: "vision",
        qos: "high",
        reservation: "course",
        constraint: "a100&nvme",
        licenses: "matlab:2",
        wckey: "thesis",
        exclusive: true,
        nodes: 2,
        gpus: 2,
        gpu_type: "v100",
        gpu_memory_gb: 16,
        cpus: 20,
        memory_mib: 100_000,
        walltime_s: 5400,
      },
    });
  });
  it("asks for no type when it asks for no GPU", () => {
    expect(askOf({ ...EMPTY, gpus: 0, gpuType: "v100" }, options(), NOW).resources).toEqual({ gpus: 0 });
  });
});

describe("what an app asks", () => {
  const draft = { ...EMPTY, app: "tensorboard", options: { folder: "~/runs/", other: "x" } };
  it("is sent as the app asks it, and nothing else", () => {
    expect(askOf(draft, options(), NOW)).toEqual({ app: "tensorboard", options: { folder: "~/runs" }, resources: {} });
  });
  it("is sent as yes or no where that is asked", () => {
    const { apps, defaults, reservations } = options();
    const live = { name: "live", label: "Live", kind: "bool" as const, default: true, required: false, help: "", choices: [], least: null, most: null, whole: false };
    const asking = { defaults, reservations, apps: apps.map((app) => ({ ...app, options: [live] })) };
    expect(askOf({ ...draft, options: { live: "false" } }, asking, NOW).options).toEqual({ live: false });
  });
  it("comes back with a session that is started again", () => {
    const was = session({ app: "tensorboard", options: { folder: "~/runs", live: true }, modules: ["cuda/12.4"] });
    expect(draftOf(was, options())).toMatchObject({ options: { folder: "~/runs", live: "true" }, modules: ["cuda/12.4"] });
  });
});

describe("walltimeOf", () => {
  it("counts whole minutes until a chosen end", () => {
    expect(walltimeOf({ kind: "until", at: "2026-11-24T13:00" }, NOW)).toBe(59 * 60);
  });
  it("knows no length for a half-typed end", () => expect(walltimeOf({ kind: "until", at: "" }, NOW)).toBeNull());
});

describe("draftOf", () => {
  it("links cores and memory where they are what the GPUs bring", () => {
    const draft = draftOf(session({ resources: resources({ gpus: 2 }) }), options());
    expect(draft).toMatchObject({ gpus: 2, cpus: null, memoryMib: null, nodes: null, time: { seconds: 28_800 } });
  });
  it("keeps what was set by hand", () => {
    const draft = draftOf(session({ resources: resources({ gpus: 2, cpus: 4, nodes: 2 }) }), options());
    expect(draft).toMatchObject({ cpus: 4, memoryMib: null, nodes: 2 });
  });
  it("links what is as the app wants it, though the policy has another ratio", () => {
    const was = session({ app: "tensorboard", resources: resources({ gpus: 0, cpus: 1, memory_mib: 4096 }) });
    expect(draftOf(was, options())).toMatchObject({ gpus: 0, cpus: null, memoryMib: null });
  });
  it("keeps the exact numbers while the policy is not known", () => {
    expect(draftOf(session({}), undefined)).toMatchObject({ cpus: 8, memoryMib: 49_152 });
  });
});
