import { expect, it } from "vitest";

import { presetOf, rangeIn, rangeOf } from "./range";

const NOW = Date.parse("2026-01-01T00:30:00Z");

it("counts days and months in UTC, over the end of a year", () => {
  expect(rangeOf("month", NOW)).toEqual({ from: "2026-01-01", to: "2026-01-01" });
  expect(rangeOf("last", NOW)).toEqual({ from: "2025-12-01", to: "2025-12-31" });
  expect(rangeOf("year", NOW)).toEqual({ from: "2025-02-01", to: "2026-01-01" });
});

it("takes a range from the address, and this month where there is none", () => {
  expect(rangeIn(new URLSearchParams("from=2025-12-01&to=2025-12-31"), NOW)).toEqual(rangeOf("last", NOW));
  expect(presetOf(rangeOf("last", NOW), NOW)).toBe("last");
  expect(presetOf({ from: "2025-12-02", to: "2025-12-31" }, NOW)).toBeNull();
  for (const wrong of ["", "from=2026-02-01&to=2026-01-01", "from=x&to=y"]) {
    expect(rangeIn(new URLSearchParams(wrong), NOW)).toEqual(rangeOf("month", NOW));
  }
});
