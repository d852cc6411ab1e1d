import { expect, it } from "vitest";

import { formatDuration, parseDuration } from "./duration";

it.each([
  ["8h", 28_800],
  ["1h30m", 5400],
  ["2d", 172_800],
  ["90", 5400],
  ["45s", 45],
  ["", null],
  ["8 h", null],
  ["h", null],
  ["-8h", null],
  ["8hours", null],
])("reads %j as %s", (text, seconds) => expect(parseDuration(text)).toBe(seconds));

it.each([60, 5400, 28_800, 100_000, 0])("writes %d s so that it can be read again", (seconds) => {
  expect(parseDuration(formatDuration(seconds))).toBe(seconds);
});
