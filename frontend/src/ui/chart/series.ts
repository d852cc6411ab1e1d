// A chart's data: lines over shared times.
export interface Line {
  name: string;
  kind: "first" | "second" | "third" | "fourth" | "total";
  values: (number | null)[];
}

export interface Series {
  /** Seconds since 1970. */
  times: number[];
  lines: Line[];
  unit: string;
  /** Where the value axis ends; left out: a little above the highest value. */
  most?: number;
  /** Whether the times are UTC days, not moments in the user's zone. */
  utc?: boolean;
  /** Where the time axis begins and ends, in seconds since 1970; left out: at the first and the last time. */
  span?: [number, number];
}

/** Samples with their times in seconds. A null marks missing samples: the line has a gap there. */
export function withGaps<Sample extends { at: string }>(samples: readonly Sample[], stepS: number): { times: number[]; points: (Sample | null)[] } {
  const times: number[] = [];
  const points: (Sample | null)[] = [];
  for (const sample of samples) {
    const at = Date.parse(sample.at) / 1000;
    const last = times.at(-1);
    if (last !== undefined && at - last > 1.5 * stepS) {
      times.push(last + stepS);
      points.push(null);
    }
    times.push(at);
    points.push(sample);
  }
  return { times, points };
}
