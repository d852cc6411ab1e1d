// Memory and disk in words: GB for reading, MiB for hovering.
import { strings } from "~/strings/en";

const number = (value: number, digits: number) =>
  new Intl.NumberFormat(strings.locale, { maximumFractionDigits: digits }).format(value);

/** `98304` → `96 GB`; small sizes keep a digit. As in Slurm and the portal's policy, a GB here is 1024 MiB. */
export function gb(mib: number): string {
  const value = mib / 1024;
  return strings.size.gb(number(value, value >= 100 ? 0 : 1));
}

export function mib(value: number): string {
  return strings.size.mib(number(value, 0));
}

/** A download or file size given in MB. */
export function megabytes(mb: number): string {
  return mb < 1000 ? strings.size.mb(mb) : strings.size.gb(number(mb / 1000, 1));
}

export function bytes(count: number): string {
  const kib = count / 1024;
  if (kib < 1) return `${number(count, 0)} B`;
  return kib < 1024 ? `${number(kib, 0)} KiB` : `${number(kib / 1024, 1)} MiB`;
}

/** Memory of a session as the form shows it: whole GB where it is whole. */
export function mibToGb(value: number): number {
  return Math.round((value / 1024) * 10) / 10;
}

export function gbToMib(value: number): number {
  return Math.round(value * 1024);
}
