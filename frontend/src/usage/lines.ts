// Reports and samples as lines of a chart.
import { strings } from "~/strings/en";
import type { Line, Series } from "~/ui/chart/series";
import type { SessionUse, UsageReport } from "./queries";

const words = strings.usage;
const MIB_PER_GB = 1024;
const DAY_S = 86_400;

/** GPU-hours a day or month: held, used and unused; CPU-hours where there were no GPUs. */
export function reportLines({ first, last, source, series, step, total }: UsageReport): Series {
  const since = source.since?.slice(0, 10) ?? first;
  const filled = step === "day" ? withEmptyDays(series, since > first ? since : first, last) : series;
  const times = filled.map(({ at }) => Date.parse(`${at}T00:00Z`) / 1000);
  const line = (name: string, kind: Line["kind"], field: "gpu_hours" | "gpu_hours_used" | "gpu_hours_unused" | "cpu_hours"): Line => ({
    name,
    kind,
    values: filled.map((one) => one[field]),
  });
  if (total.gpu_hours === 0) return { times, unit: "h", utc: true, lines: [line(words.held, "first", "cpu_hours")] };
  const lines = [line(words.used, "first", "gpu_hours_used"), line(words.unused, "second", "gpu_hours_unused"), line(words.held, "total", "gpu_hours")];
  return { times, unit: "h", utc: true, lines };
}

type Point = UsageReport["series"][number];

/** A day on which nothing was held is a zero, not a gap. */
function withEmptyDays(series: Point[], first: string, last: string): Point[] {
  const known = new Map(series.map((one) => [one.at, one]));
  const days: Point[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_S * 1000) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push(known.get(day) ?? { at: day, gpu_hours: 0, gpu_hours_used: 0, gpu_hours_unused: 0, cpu_hours: 0 });
  }
  return days;
}

type Sample = SessionUse["items"][number];

const PICKS = [
  { name: words.life.gpu, unit: words.life.percentUnit, of: (one: Sample) => one.gpu_percent },
  { name: words.life.cpu, unit: words.life.cores, of: (one: Sample) => (one.cpu_percent === null ? null : one.cpu_percent / 100) },
  { name: words.life.memory, unit: words.life.gb, of: (one: Sample) => (one.memory_mib === null ? null : one.memory_mib / MIB_PER_GB) },
];

/** One small chart each for GPUs, CPU and memory; one of which nothing is known is left out. */
export function sessionLines({ items, step_s }: SessionUse): Series[] {
  const { times, points } = withGaps(items, step_s);
  return PICKS.map(({ name, unit, of }) => ({
    times,
    unit,
    lines: [{ name, kind: "first" as const, values: points.map((one) => (one === null ? null : of(one))) }],
  })).filter(({ lines: [line] }) => line?.values.some((value) => value !== null));
}

function withGaps(items: Sample[], stepS: number): { times: number[]; points: (Sample | null)[] } {
  const times: number[] = [];
  const points: (Sample | null)[] = [];
  for (const item of items) {
    const at = Date.parse(item.at) / 1000;
    const last = times.at(-1);
    if (last !== undefined && at - last > 1.5 * stepS) {
      times.push(last + stepS);
      points.push(null);
    }
    times.push(at);
    points.push(item);
  }
  return { times, points };
}

/** Mean and most of a line, for whoever does not see it. */
export function lifeSummary({ lines: [line], unit }: Series): string {
  const known = line?.values.filter((value) => value !== null) ?? [];
  const say = (value: number) => `${new Intl.NumberFormat(strings.locale, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value)} ${unit}`;
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  return words.life.summary(line?.name ?? "", say(mean), say(Math.max(0, ...known)));
}
