import { describe, expect, it } from "vitest";

import { options, resources, session } from "../../mock/data";
import { EMPTY, askOf, draftOf, moreMemory, readDraft, walltimeOf, writeDraft, type Draft } from "./draft";

const NOW = new Date("2026-11-24T12:00:30").getTime();
const FULL: Draft = {
  app: "jupyterlab",
  environment: "pytorch",
  name: "bert fine-tune & more",
  gpus: 2,
  gpuType: "v100",
  cpus: 20,
  memoryMib: 100_000,
  time: { kind: "for", seconds: 5400 },
  partition: "sxm2",
  account: "vision",
  qos: "high",
  reservation: "course",
  nodes: 2,
  template: "pytorch-digits",
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
      resources: {
        partition: "sxm2",
        account: "vision",
        qos: "high",
        reservation: "course",
        nodes: 2,
        gpus: 2,
        gpu_type: "v100",
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

describe("walltimeOf", () => {
  it("counts whole minutes until a chosen end", () => {
    expect(walltimeOf({ kind: "until", at: "2026-11-24T13:00" }, NOW)).toBe(59 * 60);
  });
  it("knows no length for a half-typed end", () => expect(walltimeOf({ kind: "until", at: "" }, NOW)).toBeNull());
});

describe("draftOf", () => {
  const { policy } = options();
  it("links cores and memory where they are what the GPUs bring", () => {
    const draft = draftOf(session({ resources: resources({ gpus: 2 }) }), policy);
    expect(draft).toMatchObject({ gpus: 2, cpus: null, memoryMib: null, nodes: null, time: { seconds: 28_800 } });
  });
  it("keeps what was set by hand", () => {
    const draft = draftOf(session({ resources: resources({ gpus: 2, cpus: 4, nodes: 2 }) }), policy);
    expect(draft).toMatchObject({ cpus: 4, memoryMib: null, nodes: 2 });
  });
  it("keeps the exact numbers while the policy is not known", () => {
    expect(draftOf(session({}), undefined)).toMatchObject({ cpus: 8, memoryMib: 49_152 });
  });
});

it.each([
  [48, 64],
  [64, 96],
  [8, 16],
])("offers after running out of %d GB the size %d GB", (had, more) => expect(moreMemory(had * 1024)).toBe(more * 1024));
