import { describe, expect, it } from "vitest";

import { clock, hoursOf, left, relative, span, toLocalInput } from "./time";

const at = (text: string) => new Date(text).getTime();
const NOW = at("2026-11-24T12:00:00");
const iso = (text: string) => new Date(text).toISOString();

describe("span", () => {
  it.each([
    [0, "0 s"],
    [59.4, "59 s"],
    [60, "1 min"],
    [5400, "1 h 30 min"],
    [8 * 3600, "8 h"],
    [86_400, "1 day"],
    [2 * 86_400 + 4 * 3600 + 59 * 60, "2 days 4 h"],
    [86_400 + 59 * 60, "1 day 59 min"],
    [-5, "0 s"],
  ])("says %d s as %s", (seconds, words) => expect(span(seconds)).toBe(words));
});

describe("relative", () => {
  it.each([
    ["2026-11-24T11:59:30", "just now"],
    ["2026-11-24T12:00:40", "just now"],
    ["2026-11-24T11:55:01", "4 min ago"],
    ["2026-11-24T11:59:10", "1 min ago"],
    ["2026-11-24T15:40:00", "in 3 h"],
    ["2026-11-24T09:00:00", "3 h ago"],
    ["2026-11-23T11:00:00", "yesterday 11:00"],
    ["2026-11-20T11:00:00", "Fri 11:00"],
  ])("says %s as %s", (when, words) => expect(relative(iso(when), NOW)).toBe(words));
});

describe("clock", () => {
  it.each([
    ["2026-11-24T14:20:00", "14:20"],
    ["2026-11-24T00:05:00", "00:05"],
    ["2026-11-25T09:00:00", "tomorrow 09:00"],
    ["2026-11-27T09:00:00", "Fri 09:00"],
    ["2026-12-12T09:00:00", "12 Dec 09:00"],
    ["2027-01-02T09:00:00", "2 Jan 2027 09:00"],
  ])("says %s as %s", (when, words) => expect(clock(iso(when), NOW)).toBe(words));
});

it("says what is left, and when nothing is", () => {
  expect(left(iso("2026-11-24T15:12:20"), NOW)).toBe("3 h 12 min left");
  expect(left(iso("2026-11-24T11:00:00"), NOW)).toBe("time is up");
});

it.each([
  [60, 0.0167],
  [5400, 1.5],
  [100, 0.0278],
])("counts %d seconds as %d hours, exact to the second", (seconds, hours) => {
  expect(hoursOf(seconds)).toBe(hours);
  expect(Math.round(hours * 3600)).toBe(seconds);
});

it("writes a local time as the input wants it", () => {
  expect(toLocalInput(new Date("2026-11-24T18:05:59"))).toBe("2026-11-24T18:05");
});
