// Ranges of UTC days, as the reports count them.
import type { Range } from "./queries";

export type Preset = "month" | "last" | "year";

const iso = (day: Date) => day.toISOString().slice(0, 10);
const first = (day: Date, months: number) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1));

export function rangeOf(preset: Preset, now: number): Range {
  const today = new Date(now);
  if (preset === "last") return { from: iso(first(today, -1)), to: iso(new Date(first(today, 0).getTime() - 1)) };
  return { from: iso(first(today, preset === "year" ? -11 : 0)), to: iso(today) };
}

/** The preset that equals a range, if any. */
export function presetOf(range: Range, now: number): Preset | null {
  const preset = (["month", "last", "year"] as const).find((preset) => {
    const { from, to } = rangeOf(preset, now);
    return from === range.from && to === range.to;
  });
  return preset ?? null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The range in the URL; this month if it has no valid one. */
export function rangeIn(params: URLSearchParams, now: number): Range {
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  return DAY.test(from) && DAY.test(to) && from <= to ? { from, to } : rangeOf("month", now);
}
