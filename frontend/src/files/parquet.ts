// The first rows of a Parquet file, read by ranges: its footer, then the columns of the first rows.
import { parquetMetadataAsync, parquetReadObjects, parquetSchema, type AsyncBuffer } from "hyparquet";

const COLUMNS = 100;
/** A file whose first rows need more than this is not read further. */
export const READ_AT_MOST = 64 * 1024 * 1024;

export interface Table {
  head: string[];
  rows: string[][];
  /** Of the whole file. */
  count: number;
}

export class TooMuch extends Error {}

/** Reads at most `most` rows. Raises TooMuch, and hyparquet's errors for what is not Parquet or is packed in another way. */
export async function firstRows(size: number, read: (start: number, end: number) => Promise<ArrayBuffer>, most: number): Promise<Table> {
  let taken = 0;
  const file: AsyncBuffer = {
    byteLength: size,
    slice: (start, end = size) => {
      taken += end - start;
      if (taken > READ_AT_MOST) throw new TooMuch();
      return read(start, end);
    },
  };
  const metadata = await parquetMetadataAsync(file);
  const head = parquetSchema(metadata)
    .children.map(({ element }) => element.name)
    .slice(0, COLUMNS);
  const rows = await parquetReadObjects({ file, metadata, columns: head, rowEnd: most, useOffsetIndex: true });
  return { head, rows: rows.map((row) => head.map((name) => shown(row[name]))), count: Number(metadata.num_rows) };
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner));
  return text.replace(/^"(.*)"$/, "$1");
}
