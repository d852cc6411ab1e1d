import { expect, it } from "vitest";

import { Finder, MATCHES_AT_MOST, cutAt } from "./search";

const held = (lines: string[]) => ({ lines, gone: 0, begun: 0 });

it("finds lines whatever the case, and through colours", () => {
  expect(new Finder().find(held(["epoch 1", "\u001b[31mEp\u001b[0moch 2", "done"]), "EPOCH")).toEqual([0, 1]);
  expect(new Finder().find(held(["a"]), "")).toEqual([]);
});

it("stops counting somewhere", () => {
  const lines = Array.from({ length: MATCHES_AT_MOST + 5 }, () => "x");
  expect(new Finder().find(held(lines), "x")).toHaveLength(MATCHES_AT_MOST);
});

it("goes on where it stopped as lines come, grow, go, and come back", () => {
  const finder = new Finder();
  const all = held(["loss 1", "none", "lo"]);
  expect(finder.find(all, "loss")).toEqual([0]);
  all.lines[2] = "loss 2";
  all.lines.push("loss 3", "");
  expect(finder.find(all, "loss")).toEqual([0, 2, 3]);
  all.lines.splice(0, 2);
  all.gone = 2;
  expect(finder.find(all, "loss")).toEqual([2, 3]);
  all.lines.unshift("loss 1", "none");
  all.gone = 0;
  expect(finder.find(all, "loss")).toEqual([0, 2, 3]);
});

it("begins anew with another text, another output, and a file that was begun anew", () => {
  const finder = new Finder();
  const all = held(["a", "b"]);
  expect(finder.find(all, "a")).toEqual([0]);
  expect(finder.find(all, "b")).toEqual([1]);
  expect(finder.find(held(["b", "b"]), "b")).toEqual([0, 1]);
  finder.find(all, "b");
  all.lines.splice(0, 2, "b", "a", "b");
  all.begun = 1;
  expect(finder.find(all, "b")).toEqual([0, 2]);
});

it("cuts a text at its matches", () => {
  expect(cutAt("loss, Loss", "loss")).toEqual(["", "loss", ", ", "Loss", ""]);
  expect(cutAt("none", "loss")).toEqual(["none"]);
});
