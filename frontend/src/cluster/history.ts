// The totals over time as lines, and in a sentence for whoever does not see them.
import type { ClusterHistory } from "~/api/types";
import { strings } from "~/strings/en";
import type { Line, Series } from "~/ui/chart/series";

const words = strings.cluster.history;
const MIB_PER_GB = 1024;

export type What = keyof typeof words.whats;

/** The lines of a span. A time without a point, while nothing could be read, is a gap. */
export function seriesOf(history: ClusterHistory, what: What): Series {
  const { times, items } = withGaps(history);
  const line = (name: string, kind: Line["kind"], value: (item: Item) => number): Line => ({
    name,
    kind,
    values: items.map((item) => (item === null ? null : value(item))),
  });
  if (what === "jobs") {
    const lines = [line(words.running, "first", (one) => one.jobs_running), line(words.waiting, "second", (one) => one.jobs_waiting)];
    return { times, lines, unit: "" };
  }
  const [total, used, reserved, down] = FIELDS[what];
  const scale = what === "memory" ? MIB_PER_GB : 1;
  return {
    times,
    unit: what === "memory" ? words.unitGb : "",
    lines: [
      line(words.used, "first", (one) => one[used] / scale),
      line(words.free, "third", (one) => Math.max(0, one[total] - one[used] - one[reserved] - one[down]) / scale),
      ...(items.some((item) => item !== null && item[reserved] > 0) ? [line(words.reserved, "fourth", (one) => one[reserved] / scale)] : []),
      line(words.down, "second", (one) => one[down] / scale),
      line(words.total, "total", (one) => one[total] / scale),
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

function withGaps({ items, step_s }: ClusterHistory): { times: number[]; items: (Item | null)[] } {
  const times: number[] = [];
  const found: (Item | null)[] = [];
  for (const item of items) {
    const at = Date.parse(item.at) / 1000;
    const last = times.at(-1);
    if (last !== undefined && at - last > 1.5 * step_s) {
      times.push(last + step_s);
      found.push(null);
    }
    times.push(at);
    found.push(item);
  }
  return { times, items: found };
}

export function summaryOf({ lines, unit }: Series, what: What): string {
  const [first, second] = lines.map(({ values }) => values.filter((value) => value !== null));
  if (first === undefined || second === undefined || first.length === 0) return words.empty;
  const say = (value: number) =>
    `${new Intl.NumberFormat(strings.locale, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value)}${unit === "" ? "" : ` ${unit}`}`;
  if (what === "jobs") return words.jobsSummary(say(Math.max(...first)), say(Math.max(...second)));
  return words.summary(words.whats[what], say(Math.min(...first)), say(Math.max(...first)), say(first.at(-1) ?? 0));
}
