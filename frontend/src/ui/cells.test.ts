import { describe, expect, it } from "vitest";

import { resources } from "../../mock/site";
import { compress, heldGpus, poolCells, poolLabel, sessionCells, type Cell } from "./cells";

const kinds = (cells: readonly Cell[]) => cells.map(({ kind }) => kind[0]).join("");
const POOL = { total: 8, free: 4, reserved: 0, down: 1 };

describe("poolCells", () => {
  it("shows mine among those in use", () => expect(kinds(poolCells(POOL, 2))).toBe("mmbffffd"));
  it("shows mine among the free ones while choosing", () => expect(kinds(poolCells(POOL, 2, true))).toBe("mmbbbffd"));
  it("never shows more than there are", () => {
    expect(kinds(poolCells(POOL, 99, true))).toBe("mmmmbbbd");
    expect(kinds(poolCells({ total: 2, free: 5, reserved: 1, down: 3 }, 0))).toBe("ff");
  });
});

it("tells reserved ones from free ones and from those in use", () => {
  const pool = { ...POOL, free: 2, reserved: 2 };
  expect(kinds(poolCells(pool, 0))).toBe("bbbffrrd");
  expect(kinds(poolCells(pool, 4, true))).toBe("mmbbbrrd");
  expect(poolLabel(pool, 0)).toBe("2 of 8 GPUs free, 3 in use, 2 reserved, 1 out of service");
});

it("says a pool in words", () => {
  expect(poolLabel(POOL, 3)).toBe("4 of 8 GPUs free, 3 in use, all yours, 1 out of service");
  expect(poolLabel(POOL, 2, "V100")).toBe("4 of 8 V100 free, 3 in use, 2 of them yours, 1 out of service");
});

describe("sessionCells", () => {
  it("is hollow while it waits and filled by use once it runs", () => {
    const asked = { resources: resources({ gpus: 2 }) };
    expect(kinds(sessionCells({ ...asked, state: "queued", usage: null }))).toBe("ff");
    const usage = { at: "", cpu_percent: 1, memory_mib: 1, gpus: [{ index: 0, uuid: "", name: "", utilization: 88 }] };
    expect(sessionCells({ ...asked, state: "ready", usage })).toEqual([
      { kind: "mine", use: 88 },
      { kind: "mine", use: null },
    ]);
  });

  it("counts the GPUs of all nodes", () => {
    const session = { state: "ready" as const, resources: resources({ gpus: 4, nodes: 2 }), usage: null };
    expect(sessionCells(session)).toHaveLength(8);
  });
});

it("counts held GPUs of sessions that hold them", () => {
  const session = (state: "queued" | "ready" | "ended") => ({ state, resources: resources({ gpus: 2 }) }) as never;
  expect(heldGpus([session("queued"), session("ready"), session("ended")])).toBe(2);
});

describe("compress", () => {
  it("leaves few cells alone", () => expect(compress(poolCells(POOL, 0), 16)).toMatchObject({ each: 1 }));
  it("keeps proportions and every kind that is there", () => {
    const { cells, each } = compress(poolCells({ total: 400, free: 199, reserved: 0, down: 1 }, 1), 16);
    expect(each).toBe(25);
    expect(kinds(cells)).toBe("mbbbbbbbbffffffffd");
  });
});
