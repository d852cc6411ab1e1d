// Durations as they appear in a launch URL: `8h`, `1h30m`, `2d`.
const UNITS: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** Seconds, or null if it is not a duration. A bare number counts minutes, as in Slurm. */
export function parseDuration(text: string): number | null {
  if (/^\d{1,7}$/.test(text)) return Number(text) * 60;
  if (!/^(\d{1,7}[dhms])+$/.test(text)) return null;
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0), 0);
}

export function formatDuration(seconds: number): string {
  let rest = seconds;
  const parts = Object.entries(UNITS).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? `${count}${unit}` : "";
  });
  return parts.join("") || "0m";
}
