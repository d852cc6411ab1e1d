import { expect, it } from "vitest";

import { EMPTY_LOG, addEarlier, addLater } from "./log";

const piece = (offset: number, text: string, size: number) => ({ offset, text, next_offset: offset + text.length, size });

it("begins with the end of the log and reads on in both directions", () => {
  const end = addLater(EMPTY_LOG, piece(10, "cd", 12));
  const later = addLater(end, piece(12, "ef", 14));
  expect(addEarlier(later, piece(8, "ab", 14))).toEqual({ text: "abcdef", from: 8, to: 14, size: 14 });
});

it("begins anew when the log was begun anew", () => {
  const log = addLater(EMPTY_LOG, piece(0, "a long log", 10));
  expect(addLater(log, piece(0, "new", 3))).toEqual({ text: "new", from: 0, to: 3, size: 3 });
});

it("drops an earlier piece that does not fit", () => {
  const log = addLater(EMPTY_LOG, piece(10, "cd", 12));
  expect(addEarlier(log, piece(0, "ab", 12))).toBe(log);
});
