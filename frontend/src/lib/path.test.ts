import { expect, it } from "vitest";

import { above, inside, trimmed, typedOf } from "./path";

it.each([
  ["", "~", ""],
  ["~", "~", ""],
  ["~/", "~", ""],
  ["ru", "~", "ru"],
  ["~/ru", "~", "ru"],
  ["~/runs/", "~/runs", ""],
  ["/", "/", ""],
  ["/sh", "/", "sh"],
  ["/shared/d", "/shared", "d"],
])("looks for %j in %j", (text, folder, begun) => expect(typedOf(text)).toEqual({ folder, begun }));

it.each([
  ["~/runs", "~"],
  ["~/runs/bert", "~/runs"],
  ["/shared", "/"],
  ["/", null],
  ["~", null],
])("above %j is %j", (folder, up) => expect(above(folder)).toBe(up));

it("puts names into folders, and takes the last slash off", () => {
  expect(inside("/", "shared")).toBe("/shared");
  expect(inside("~/runs", "bert")).toBe("~/runs/bert");
  expect(["~/runs/", "/", "~/runs", ""].map(trimmed)).toEqual(["~/runs", "/", "~/runs", ""]);
});
