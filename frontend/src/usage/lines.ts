// A report as chart lines.
import { strings } from "~/strings/en";
import type { Line, Series } from "~/ui/chart/series";
import type { UsageReport } from "./queries";

const words = strings.usage;
const DAY_S = 86_400;

/** GPU-hours per day or month: allocated, used and unused; CPU-hours if there were no GPUs. */
export function reportLines({ first, last, source, series, step, total }: UsageReport): Series {
  const since = source.since?.slice(0, 10) ?? first;
  const filled = step === "day" ? withEmptyDays(series, since > first ? since : first, last) : series;
  const times = filled.map(({ at }) => Date.parse(`${at}T00:00Z`) / 1000);
  const line = (name: string, kind: Line["kind"], field: "gpu_hours" | "gpu_hours_used" | "gpu_hours_unused" | "cpu_hours"): Line => ({
    name,
    kind,
    values: filled.map((point) => point[field]),
  });
  if (total.gpu_hours === 0) return { times, unit: "h", utc: true, lines: [line(words.held, "first", "cpu_hours")] };
  const lines = [line(words.used, "first", "gpu_hours_used"), line(words.unused, "second", "gpu_hours_unused"), line(words.held, "total", "gpu_hours")];
  return { times, unit: "h", utc: true, lines };
}

type Point = UsageReport["series"][number];

/** A day without allocations is a zero, not a gap. */
function withEmptyDays(series: Point[], first: string, last: string): Point[] {
  const known = new Map(series.map((point) => [point.at, point]));
  const days: Point[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_S * 1000) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push(known.get(day) ?? { at: day, gpu_hours: 0, gpu_hours_used: 0, gpu_hours_unused: 0, cpu_hours: 0 });
  }
  return days;
}
