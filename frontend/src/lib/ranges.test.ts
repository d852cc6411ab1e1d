import { expect, it } from "vitest";

import { numbersOf } from "./ranges";

it("reads ranges, lists and steps", () => {
  expect(numbersOf("0-3")).toEqual([0, 1, 2, 3]);
  expect(numbersOf("5, 1-2 ,9")).toEqual([1, 2, 5, 9]);
  expect(numbersOf("0-10:5")).toEqual([0, 5, 10]);
  expect(numbersOf("0-99%10")).toHaveLength(100);
});

it.each(["", "a", "3-1", "1-", "-5", "0-5:0", "1;2", "0-9999999"])("refuses %j", (text) => {
  expect(numbersOf(text)).toBeNull();
});
