import { readFileSync } from "node:fs";

import { expect, it, vi } from "vitest";

import { READ_AT_MOST, TooMuch, firstRows } from "./parquet";

const bytes = Uint8Array.from(readFileSync("../tests/recorded/files/two-rows.parquet")).buffer;
const read = (start: number, end: number) => Promise.resolve(bytes.slice(start, end));

it("shows numbers, times, nothing and objects as text", async () => {
  expect(await firstRows(bytes.byteLength, read, 200)).toEqual({
    head: ["name", "count", "when", "more"],
    rows: [
      ["Doe, Jane", "3", "2026-01-02T03:04:05.000Z", '{"a":[1,2]}'],
      ["<b>x</b>", "", "1970-01-01T00:00:00.000Z", '{"a":[]}'],
    ],
    count: 2,
  });
  expect((await firstRows(bytes.byteLength, read, 1)).rows).toHaveLength(1);
});

it("never reads more of a file than it may", async () => {
  // A file whose footer claims to be larger than all that may be read.
  const size = 10 * READ_AT_MOST;
  const end = new ArrayBuffer(524_288);
  new DataView(end).setUint32(end.byteLength - 8, READ_AT_MOST, true);
  new DataView(end).setUint32(end.byteLength - 4, 0x31524150, true);
  const asked = vi.fn((start: number, to: number) => Promise.resolve(end.slice(0, to - start)));
  await expect(firstRows(size, asked, 200)).rejects.toBeInstanceOf(TooMuch);
  expect(asked).toHaveBeenCalledTimes(1);
});

it("refuses what is not Parquet", async () => {
  await expect(firstRows(100, () => Promise.resolve(new ArrayBuffer(100)), 200)).rejects.toThrow();
});
