import { expect, it } from "vitest";

import { report } from "../../mock/usage";
import { reportLines } from "./lines";

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
