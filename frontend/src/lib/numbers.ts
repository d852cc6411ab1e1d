// Number formats.
import { strings } from "~/strings/en";

export const percent = (value: number) => `${Math.round(value)} %`;

export function hours(value: number): string {
  return new Intl.NumberFormat(strings.locale, { maximumFractionDigits: value >= 100 ? 0 : 1 }).format(value);
}
