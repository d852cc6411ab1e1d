import { expect, it } from "vitest";

import { report, sessionUse } from "../../mock/usage";
import { lifeSummary, reportLines, sessionLines } from "./lines";

it("draws every day of the range, those without a job as nothing, not as a gap", () => {
  const { times, lines } = reportLines(report(new URLSearchParams(), "full"));
  expect(times).toHaveLength(21);
  expect(lines.map(({ values }) => values[3])).toEqual([0, 0, 0]);
  expect(lines.map(({ values }) => values[4])).toEqual([10, 70, 100]);
  expect(lines.map(({ values }) => values.at(-1))).toEqual([0, 0, 0]);
});

it("begins where the records begin", () => {
  const late = report(new URLSearchParams(), "full");
  late.source.since = "2026-11-19T08:00:00Z";
  expect(reportLines(late).times).toHaveLength(3);
});

it("leaves a gap where a session was not sampled, and leaves out what nobody measured", () => {
  const [gpu, cpu, memory] = sessionLines(sessionUse());
  expect(gpu?.lines[0]?.values).toEqual([0, 10, 20, null, 30, 40]);
  expect(cpu?.lines[0]?.values[0]).toBe(1);
  expect(memory && lifeSummary(memory)).toBe("Memory: 6 GB on average, 10 GB at most.");
  const bare = sessionUse();
  bare.items = bare.items.map((one) => ({ ...one, gpu_percent: null }));
  expect(sessionLines(bare)).toHaveLength(2);
});
