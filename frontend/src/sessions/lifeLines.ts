// What a session used during its life, as chart lines.
import { strings } from "~/strings/en";
import { withGaps, type Series } from "~/ui/chart/series";
import type { SessionUse } from "./queries";

const words = strings.usage.life;
const MIB_PER_GB = 1024;

type Sample = SessionUse["items"][number];

/** A chart that stays below `least` is left out: most GPUs have no NVLink. */
const PICKS: { name: string; unit: string; of: (point: Sample) => number | null; least?: number }[] = [
  { name: words.gpu, unit: words.percentUnit, of: (point: Sample) => point.gpu_percent },
  { name: words.sm, unit: words.percentUnit, of: (point: Sample) => point.sm_percent },
  { name: words.bandwidth, unit: words.percentUnit, of: (point: Sample) => point.bandwidth_percent },
  { name: words.pcie, unit: words.mbPerSecond, of: (point: Sample) => point.pcie_mib_s, least: 1 },
  { name: words.nvlink, unit: words.mbPerSecond, of: (point: Sample) => point.nvlink_mib_s, least: 1 },
  { name: words.kernelBusy, unit: words.percentUnit, of: (point: Sample) => point.kernel_busy_percent },
  {
    name: words.gpuMemory,
    unit: words.gb,
    of: (point: Sample) => (point.gpu_memory_mib === null ? null : point.gpu_memory_mib / MIB_PER_GB),
  },
  { name: words.power, unit: words.watts, of: (point: Sample) => point.power_w },
  { name: words.cpu, unit: "", of: (point: Sample) => (point.cpu_percent === null ? null : point.cpu_percent / 100) },
  { name: words.memory, unit: words.gb, of: (point: Sample) => (point.memory_mib === null ? null : point.memory_mib / MIB_PER_GB) },
];

/** One small chart each for GPUs, their memory and power, CPU and memory, leaving out those without data. */
export function sessionLines({ items, step_s }: SessionUse, span: [number, number]): Series[] {
  const { times, points } = withGaps(items, step_s);
  // The first sample's interval may begin before the session does.
  const [from, to] = [Math.min(span[0], times[0] ?? span[0]), span[1]];
  const values = PICKS.map(({ of }) => points.map((point) => (point === null ? null : of(point))));
  return PICKS.flatMap(({ name, unit, least = 0 }, index) =>
    values[index]?.some((value) => value !== null && value >= least)
      ? {
          times,
          span: [from, to] as [number, number],
          unit,
          ...(unit === words.percentUnit && { most: 100 }),
          lines: [{ name, kind: "first" as const, values: values[index] }],
        }
      : [],
  );
}

/** The time axis of a session's charts: its life, from its start to its end or to now, and at least five minutes. */
export function lifeOf(startedAt: string | null, endedAt: string | null, now: number): [number, number] {
  const start = startedAt === null ? now : Date.parse(startedAt);
  const end = endedAt === null ? now : Date.parse(endedAt);
  return [start / 1000, Math.max(end / 1000, start / 1000 + LEAST_S)];
}

const LEAST_S = 300;

/** A line's mean and maximum, for screen readers. */
export function lifeSummary({ lines: [line], unit }: Series): string {
  const known = line?.values.filter((value) => value !== null) ?? [];
  const say = (value: number) => `${new Intl.NumberFormat(strings.locale, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value)} ${unit}`.trimEnd();
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  return words.summary(line?.name ?? "", say(mean), say(Math.max(0, ...known)));
}
