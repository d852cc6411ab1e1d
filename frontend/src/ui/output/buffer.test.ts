import { expect, it } from "vitest";

import { lastWritten } from "./ansi";
import { OutputBuffer, type Piece } from "./buffer";

const gap = (bytes: number) => `[${bytes} bytes not shown]`;
const bytes = (text: string) => new TextEncoder().encode(text).length;
const piece = (text: string, offset: number, size = offset + bytes(text)): Piece => ({
  text,
  offset,
  next_offset: offset + bytes(text),
  size,
});

/** A file, and its pieces of a given size in bytes (ASCII). */
const pieces = (text: string, length: number) =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    piece(text.slice(index * length, (index + 1) * length), index * length, text.length),
  );

it("joins pieces wherever they were cut", () => {
  const text = "one\ntwo\nthree, which is longer\n\nfive";
  for (const length of [1, 2, 3, 7, 100]) {
    const buffer = new OutputBuffer();
    for (const part of pieces(text, length)) buffer.append(part, gap);
    expect(buffer.lines.join("\n")).toBe(text);
    expect([buffer.from, buffer.to, buffer.size]).toEqual([0, text.length, text.length]);
  }
});

it("puts earlier text before what it holds, also in the middle of a line", () => {
  const buffer = new OutputBuffer();
  buffer.append(piece("ree\nfour", 10, 18), gap);
  buffer.prepend(piece("two\nth", 4, 18));
  buffer.prepend(piece("one\n", 0, 18));
  expect(buffer.lines).toEqual(["one", "two", "three", "four"]);
  expect(buffer.from).toBe(0);
  expect(buffer.gone).toBe(-2);
});

it("cuts earlier text that reaches into what it holds", () => {
  const buffer = new OutputBuffer();
  buffer.append(piece("cdef", 2, 6), gap);
  buffer.prepend(piece("abcd", 0, 6));
  expect(buffer.lines).toEqual(["abcdef"]);
});

it("takes nothing twice and nothing out of place", () => {
  const buffer = new OutputBuffer();
  buffer.append(piece("abc", 5), gap);
  buffer.append(piece("abc", 5), gap);
  buffer.prepend(piece("zz", 1));
  expect(buffer.lines).toEqual(["abc"]);
});

it("says how much is missing where the server left something out", () => {
  const buffer = new OutputBuffer();
  buffer.append(piece("a\nb", 0, 500), gap);
  buffer.append(piece("y\nz", 400, 500), gap);
  expect(buffer.lines).toEqual(["a", "b", "[397 bytes not shown]", "y", "z"]);
});

it("begins anew when the file has become shorter", () => {
  const buffer = new OutputBuffer();
  buffer.append(piece("old old old", 0), gap);
  buffer.append(piece("new", 0, 3), gap);
  expect(buffer.lines).toEqual(["new"]);
});

it("stays bounded, and what it dropped can be read again without a seam", () => {
  const text = Array.from({ length: 1000 }, (_, index) => `line ${index} ä`).join("\n");
  const whole = new TextEncoder().encode(text);
  const cut = (from: number, to: number) => piece(new TextDecoder().decode(whole.slice(from, to)), from, whole.length);
  // Boundaries between characters, where the portal cuts.
  const ends = Array.from(text).reduce<number[]>((ends, sign) => [...ends, (ends.at(-1) ?? 0) + bytes(sign)], [0]).filter((_, index) => index % 97 === 0);
  ends.push(whole.length);
  const buffer = new OutputBuffer(100);
  for (let index = 1; index < ends.length; index += 1) {
    buffer.append(cut(ends[index - 1] as number, ends[index] as number), gap);
    buffer.trim();
    expect(buffer.lines.length).toBeLessThan(140);
  }
  expect(buffer.from).toBeGreaterThan(0);
  expect(buffer.gone + buffer.lines.length).toBe(1000);
  buffer.prepend(cut(0, buffer.from));
  expect(buffer.lines.join("\n")).toBe(text);
  expect(buffer.gone).toBe(0);
});

it("bounds characters as well as lines, and cuts a line without an end", () => {
  const buffer = new OutputBuffer(1000, 5_000);
  for (let index = 0; index < 50; index += 1) buffer.append(piece(`${"x".repeat(999)}\n`, index * 1000), gap);
  buffer.trim();
  expect(buffer.lines.length).toBeLessThan(7);
  const endless = new OutputBuffer();
  for (let index = 0; index < 50; index += 1) endless.append(piece("y".repeat(1000), index * 1000), gap);
  expect(endless.lines[0]?.length).toBe(20_000);
});

it("keeps of a long progress bar what was written last", () => {
  const buffer = new OutputBuffer();
  const bar = Array.from({ length: 5000 }, (_, index) => `${index} %\r`).join("");
  buffer.append(piece(bar, 0), gap);
  expect(buffer.lines).toEqual(["4999 %\r"]);
  buffer.append(piece("5000 %", bar.length), gap);
  expect(lastWritten(buffer.lines[0] ?? "")).toBe("5000 %");
});

it("carries colours from line to line", () => {
  const buffer = new OutputBuffer();
  buffer.append(piece("\u001b[31mred\nstill\u001b[0m\nplain", 0), gap);
  expect([0, 1, 2].map((line) => buffer.styleOf(line))).toEqual([{}, { fg: 1 }, {}]);
});
