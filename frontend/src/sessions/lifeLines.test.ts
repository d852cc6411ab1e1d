import { expect, it } from "vitest";

import { sessionUse } from "../../mock/usage";
import { lifeOf, lifeSummary, sessionLines } from "./lifeLines";

it("leaves a gap where a session was not sampled, and leaves out what nobody measured", () => {
  const [gpu, , , pcie, , , power, cpu, memory] = sessionLines(sessionUse(), [0, 600]);
  expect(gpu?.lines[0]?.values).toEqual([0, 10, 20, null, 30, 40]);
  expect(power && lifeSummary(power)).toBe("GPU power: 280 W on average, 480 W at most.");
  expect(pcie && lifeSummary(pcie)).toBe("PCIe: 24 MB/s on average, 48 MB/s at most.");
  expect(cpu?.lines[0]?.values[0]).toBe(1);
  expect(memory && lifeSummary(memory)).toBe("Memory: 6 GB on average, 10 GB at most.");
  const bare = sessionUse();
  bare.items = bare.items.map((point) => ({ ...point, gpu_percent: null }));
  expect(sessionLines(bare, [0, 600])).toHaveLength(8);
  const linked = sessionUse();
  linked.items = linked.items.map((point) => ({ ...point, nvlink_mib_s: 900 }));
  expect(sessionLines(linked, [0, 600]).map(({ lines: [line] }) => line?.name)).toContain("NVLink");
});

it("draws a session's charts over its life: to its end, or to now, and at least over five minutes", () => {
  const at = (minute: number) => new Date(minute * 60_000).toISOString();
  expect(lifeOf(at(0), at(90), 200 * 60_000)).toEqual([0, 5400]);
  expect(lifeOf(at(0), null, 30 * 60_000)).toEqual([0, 1800]);
  expect(lifeOf(at(10), null, 11 * 60_000)).toEqual([600, 900]);
  const use = sessionUse();
  const first = Date.parse(use.items[0]?.at ?? "") / 1000;
  const [cpu] = sessionLines(use, [first - 60, first + 6000]).slice(-2);
  expect(cpu?.span).toEqual([first - 60, first + 6000]);
  expect(cpu?.most).toBeUndefined();
  expect(cpu && lifeSummary(cpu)).toMatch(/^CPU cores: [\d.]+ on average, [\d.]+ at most\.$/);
});

it("draws all of a first sample that began before the session, and percentages up to 100", () => {
  const use = sessionUse();
  const first = Date.parse(use.items[0]?.at ?? "") / 1000;
  const [gpu] = sessionLines(use, [first + 30, first + 6000]);
  expect(gpu?.span).toEqual([first, first + 6000]);
  expect(gpu?.most).toBe(100);
});
