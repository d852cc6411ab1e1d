// Formats of waiting times and months.
import { span } from "~/lib/time";
import { strings } from "~/strings/en";

export const wait = (seconds: number | null) => (seconds === null ? "–" : span(seconds));

/** The month's name for `2026-11`; any other key unchanged; words for the empty one. */
export function keyOf(by: string, key: string): string {
  if (key === "") return strings.usage.none;
  if (by !== "month") return key;
  return new Intl.DateTimeFormat(strings.locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${key}-01T00:00Z`));
}
