// The totals over time as lines, and as a sentence for screen readers.
import type { ClusterHistory } from "~/api/types";
import { strings } from "~/strings/en";
import { withGaps, type Line, type Series } from "~/ui/chart/series";

const words = strings.cluster.history;
const MIB_PER_GB = 1024;

export type What = keyof typeof words.whats;

/** The lines of a period. A missing point, where nothing could be read, is a gap. */
export function seriesOf(history: ClusterHistory, what: What): Series {
  const { times, points } = withGaps(history.items, history.step_s);
  const line = (name: string, kind: Line["kind"], value: (item: Item) => number): Line => ({
    name,
    kind,
    values: points.map((point) => (point === null ? null : value(point))),
  });
  if (what === "jobs") {
    const lines = [line(words.running, "first", (sample) => sample.jobs_running), line(words.waiting, "second", (sample) => sample.jobs_waiting)];
    return { times, lines, unit: "" };
  }
  const [total, used, reserved, down] = FIELDS[what];
  const scale = what === "memory" ? MIB_PER_GB : 1;
  return {
    times,
    unit: what === "memory" ? words.unitGb : "",
    lines: [
      line(words.used, "first", (sample) => sample[used] / scale),
      line(words.free, "third", (sample) => Math.max(0, sample[total] - sample[used] - sample[reserved] - sample[down]) / scale),
      ...(points.some((point) => point !== null && point[reserved] > 0) ? [line(words.reserved, "fourth", (sample) => sample[reserved] / scale)] : []),
      line(words.down, "second", (sample) => sample[down] / scale),
      line(words.total, "total", (sample) => sample[total] / scale),
    ],
  };
}

type Item = ClusterHistory["items"][number];
type Field = Exclude<keyof Item, "at">;

const FIELDS: Record<Exclude<What, "jobs">, [Field, Field, Field, Field]> = {
  gpus: ["gpus", "gpus_used", "gpus_reserved", "gpus_down"],
  cpus: ["cpus", "cpus_used", "cpus_reserved", "cpus_down"],
  memory: ["memory_mib", "memory_used_mib", "memory_reserved_mib", "memory_down_mib"],
};

export function summaryOf({ lines, unit }: Series, what: What): string {
  const [first, second] = lines.map(({ values }) => values.filter((value) => value !== null));
  if (first === undefined || second === undefined || first.length === 0) return words.empty;
  const say = (value: number) =>
    `${new Intl.NumberFormat(strings.locale, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value)}${unit === "" ? "" : ` ${unit}`}`;
  if (what === "jobs") return words.jobsSummary(say(Math.max(...first)), say(Math.max(...second)));
  return words.summary(words.whats[what], say(Math.min(...first)), say(Math.max(...first)), say(first.at(-1) ?? 0));
}
