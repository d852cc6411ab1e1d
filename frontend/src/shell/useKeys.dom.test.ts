import { expect, it } from "vitest";

import { actionOf } from "./useKeys";

const press = (key: string, init: KeyboardEventInit = {}, target: HTMLElement = document.body) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  Object.defineProperty(event, "target", { value: target });
  return actionOf(event);
};

it("knows its keys, whatever else a keyboard needs to be held for them", () => {
  expect(press("n")).toBe("n");
  expect(press("?", { shiftKey: true })).toBe("?");
  expect(press("/", { shiftKey: true })).toBe("/");
  expect(press("k", { ctrlKey: true })).toBe("palette");
  expect(press("K", { metaKey: true })).toBe("palette");
});

it("leaves typing alone, except for the palette", () => {
  const input = document.createElement("input");
  expect(press("n", {}, input)).toBeNull();
  expect(press("k", { ctrlKey: true }, input)).toBe("palette");
});

it("leaves the browser's own keys alone", () => {
  expect(press("n", { ctrlKey: true })).toBeNull();
  expect(press("n", { altKey: true })).toBeNull();
  expect(press("k")).toBeNull();
});
