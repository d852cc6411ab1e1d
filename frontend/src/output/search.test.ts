import { expect, it } from "vitest";

import { MATCHES_AT_MOST, cutAt, find } from "./search";

it("finds lines whatever the case, and through colours", () => {
  expect(find(["epoch 1", "\u001b[31mEp\u001b[0moch 2", "done"], "EPOCH")).toEqual([0, 1]);
  expect(find(["a"], "")).toEqual([]);
});

it("stops counting somewhere", () => {
  expect(find(Array.from({ length: MATCHES_AT_MOST + 5 }, () => "x"), "x")).toHaveLength(MATCHES_AT_MOST);
});

it("cuts a text at its matches", () => {
  expect(cutAt("loss, Loss", "loss")).toEqual(["", "loss", ", ", "Loss", ""]);
  expect(cutAt("none", "loss")).toEqual(["none"]);
});
