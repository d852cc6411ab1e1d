import { expect, it } from "vitest";

import { changeBetween } from "./change";

it.each([
  ["#SBATCH --nodes=1\nsrun x", "#SBATCH --nodes=22\nsrun x"],
  ["aaa", "aaaa"],
  ["aaaa", "aa"],
  ["", "new"],
  ["old", ""],
  ["same", "same"],
])("makes %j into %j", (before, after) => {
  const { from, to, insert } = changeBetween(before, after);
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
});

it("touches nothing but what changed", () => {
  expect(changeBetween("--nodes=1\nsrun", "--nodes=2\nsrun")).toEqual({ from: 8, to: 9, insert: "2" });
});
