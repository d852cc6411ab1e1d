// Memory and disk in words: GB (MB below one) for reading, MiB on hover.
import { strings } from "~/strings/en";

const number = (value: number, digits: number) =>
  new Intl.NumberFormat(strings.locale, { maximumFractionDigits: digits }).format(value);

/**
 * `98304` → `96 GB`, `512` → `512 MB`; small sizes keep a digit. A GB here is 1024 MiB, as in Slurm.
 * The portal's own sentences use the same format (portal/policy/formatting.py); both are tested against sizes.json.
 */
export function gb(mib: number): string {
  const whole = Math.round(mib);
  if (whole < 1024) return strings.size.mb(whole);
  const value = whole / 1024;
  return strings.size.gb(number(value, value >= 100 ? 0 : 1));
}

export function mib(value: number): string {
  return strings.size.mib(number(value, 0));
}

/** A download or file size given in MB. */
export function megabytes(mb: number): string {
  return mb < 1000 ? strings.size.mb(mb) : strings.size.gb(number(mb / 1000, 1));
}

/** The size of a file: `4096` → `4 KB`; a KB here is 1024 bytes, as a GB above is 1024 MiB. */
export function bytes(count: number): string {
  if (count < 1024) return strings.size.b(number(count, 0));
  const kib = count / 1024;
  if (Math.round(kib) < 1024) return strings.size.kb(number(kib, 0));
  const mib = kib / 1024;
  return Math.round(mib) < 1024 ? strings.size.mb(number(mib, 1)) : gb(mib);
}

/** Memory as the forms show it: whole GB if it is whole; below one, only the digits that its MiB need. */
export function mibToGb(value: number): number {
  const rounded = (digits: number) => Number((value / 1024).toFixed(digits));
  if (value >= 1024) return rounded(1);
  return [1, 2, 3].map(rounded).find((gb) => gbToMib(gb) === value) ?? rounded(4);
}

export function gbToMib(value: number): number {
  return Math.round(value * 1024);
}
