import { describe, expect, it } from "vitest";

import type { ClusterHistory, ClusterNode } from "~/api/types";
import { snapshot } from "../../mock/cluster";
import { read, write } from "./address";
import { seriesOf, summaryOf } from "./history";
import { moved, rowsOf } from "./mapRows";
import { apply, cellsOf, filtered, freeOf, groupsOf, totalsOf } from "./snapshot";
import { firstAbove } from "./useWindowed";
import { nodeLabel, standing } from "./words";

const node = (name: string) => snapshot().nodes.find((node) => node.name === name) as ClusterNode;
const kindsOf = (name: string, mine: number[] = []) => cellsOf(node(name), mine).map(({ kind }) => kind);
const NONE = { text: "", partition: "", gpuType: "", state: "", feature: "" };

describe("cells", () => {
  it("stand in the node's order and tell mine, others', free, drained and down apart", () => {
    expect(kindsOf("node001", [0, 1])).toEqual(["mine", "mine", "busy", "free"]);
    expect(kindsOf("node004")).toEqual(Array(4).fill("drained"));
    expect(kindsOf("gpu02")).toEqual(Array(8).fill("down"));
  });
  it("draw jobs side by side in different shades", () => {
    expect(cellsOf(node("node001")).map(({ alternate }) => alternate)).toEqual([false, false, true, undefined]);
  });
});

describe("apply", () => {
  const change = { since: "mock-1", version: "mock-2", as_of: null, queue: { version: 2, running: 0, waiting: 0 }, kinds_from: 3 };
  it("replaces, adds and removes nodes", () => {
    const news = { ...node("node001"), gpus: "...." };
    const next = apply(snapshot(), { ...change, gone: ["cpu01"], kinds: [], nodes: [news, { ...news, name: "new" }] });
    expect(next?.nodes.map(({ name }) => name)).toEqual(["node001", "node002", "node003", "node004", "gpu01", "gpu02", "new"]);
    expect(next?.nodes[0]?.gpus).toBe("....");
    expect(next?.version).toBe("mock-2");
  });
  it("keeps the nodes themselves when only the queue has changed", () => {
    const before = snapshot();
    expect(apply(before, { ...change, gone: [], kinds: [], nodes: [] })?.nodes).toBe(before.nodes);
  });
  it("refuses what does not follow", () => {
    expect(apply(snapshot(), { ...change, since: "mock-0", gone: [], kinds: [], nodes: [] })).toBeNull();
  });
});

it("filters by partition, type, state, feature and name", () => {
  const names = (filter: object) => filtered(snapshot(), { ...NONE, ...filter }, { node001: [0] }).map(({ name }) => name);
  expect(names({ gpuType: "h100", state: "free" })).toEqual(["gpu01"]);
  expect(names({ state: "mine" })).toEqual(["node001"]);
  expect(names({ feature: "nvlink" })).toEqual(["gpu01", "gpu02"]);
  expect(names({ text: "CPU" })).toEqual(["cpu01"]);
});

it("adds up what is in use, mine and out of service", () => {
  const { gpus } = totalsOf(snapshot().nodes, snapshot().kinds, { node001: [0, 1] });
  expect(gpus).toEqual({ total: 32, used: 13, mine: 2, reserved: 0, down: 12 });
});

describe("a reserved node", () => {
  const reserved = snapshot().nodes.map((node) => (node.name === "node001" ? { ...node, state: "reserved" as const } : node));
  const [node001] = reserved as [ClusterNode];
  it("has no GPU free for everybody: what nobody holds is reserved, in words as well", () => {
    expect(cellsOf(node001, [0, 1]).map(({ kind }) => kind)).toEqual(["mine", "mine", "busy", "reserved"]);
    expect(freeOf(node001)).toBe(0);
    expect(nodeLabel(node001, snapshot().kinds[0], 2)).toBe("Reserved, 0 of 4 V100 free, 3 in use, 2 of them yours, 1 reserved");
    expect(standing(node001, snapshot().kinds[0])).toBe("Reserved");
  });
  it("is counted apart from what is free and what is out of service", () => {
    const { gpus, cpus } = totalsOf(reserved, snapshot().kinds, {});
    expect(gpus).toEqual({ total: 32, used: 13, mine: 0, reserved: 1, down: 12 });
    expect(cpus.reserved).toBe(40 - 24);
  });
  it("is not among those with free GPUs", () => {
    const names = filtered({ ...snapshot(), nodes: reserved }, { ...NONE, state: "free" }, {}).map(({ name }) => name);
    expect(names).toEqual(["node003", "gpu01"]);
  });
});

it("draws what was reserved as a line of its own, where anything was, and never as free", () => {
  const item = (reserved: number) => ({ at: "2026-11-24T12:00:00Z", gpus: 16, gpus_used: 4, gpus_reserved: reserved, gpus_down: 2 });
  const lines = (reserved: number) =>
    Object.fromEntries(
      seriesOf({ span: "hour", step_s: 60, since: "", items: [item(reserved)] } as unknown as ClusterHistory, "gpus").lines.map(({ name, values }) => [name, values]),
    );
  expect(lines(0)).toEqual({ "in use": [4], free: [10], "out of service": [2], total: [16] });
  expect(lines(8)).toMatchObject({ free: [2], reserved: [8] });
});

it("groups by rack where the site names racks", () => {
  const racked = { ...snapshot(), group_by: "rack" as const, rack_feature: "[vh]100" };
  expect(groupsOf(racked, racked.nodes).map(({ name }) => name)).toEqual(["v100", "h100", ""]);
});

describe("the map", () => {
  const layout = rowsOf(groupsOf(snapshot(), snapshot().nodes), 280);
  it("cuts groups into rows", () => {
    expect(layout.columns).toBe(2);
    expect(layout.tops).toEqual([0, 40, 100, 160, 200, 260, 300]);
    expect(layout.height).toBe(360);
  });
  it("is walked by keys, over the groups' borders", () => {
    expect(moved("ArrowDown", 1, layout)).toBe(3);
    expect(moved("ArrowDown", 3, layout)).toBe(5);
    expect(moved("ArrowDown", 5, layout)).toBe(6);
    expect(moved("ArrowUp", 6, layout)).toBe(4);
    expect(moved("ArrowLeft", 0, layout)).toBe(0);
    expect(moved("End", 0, layout)).toBe(6);
    expect(moved("Tab", 0, layout)).toBeNull();
  });
  it("finds the rows in sight", () => {
    expect(firstAbove([0, 40, 100], 41)).toBe(2);
    expect(firstAbove([], 10)).toBe(0);
  });
});

it("writes only what differs from the plain page into the address, and reads it again", () => {
  const address = read(new URLSearchParams("view=queue&jobs=waiting&mine&page=3&job=12&partition=a%20b"));
  expect(read(write(address))).toEqual(address);
  expect(write(read(new URLSearchParams("view=x&page=-1&job=abc&jobs=?"))).toString()).toBe("");
});

it("draws gaps where nothing was read and says the lines in a sentence", () => {
  const item = (minute: number, used: number) => ({ at: `2026-11-24T12:0${minute}:00Z`, gpus: 16, gpus_used: used, gpus_reserved: 0, gpus_down: 0 });
  const history = { span: "hour", step_s: 60, since: "", items: [item(0, 4), item(1, 8), item(5, 6)] } as unknown as ClusterHistory;
  const series = seriesOf(history, "gpus");
  expect(series.lines[0]?.values).toEqual([4, 8, null, 6]);
  expect(summaryOf(series, "gpus")).toBe("GPUs in use: minimum 4, maximum 8, latest 6.");
});
