// What a chart draws: lines over the same times.
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
  /** Whether the times are days of UTC, not moments in the reader's zone. */
  utc?: boolean;
}
