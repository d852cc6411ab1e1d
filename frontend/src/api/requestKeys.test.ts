import { expect, it } from "vitest";

import { requestKeys } from "./requestKeys";

it("keeps the key while the same is tried again", () => {
  const keys = requestKeys();
  const first = keys.of({ gpus: 1 });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.of({ gpus: 1 })).toBe(first);
  expect(keys.of({ gpus: 2 })).not.toBe(first);
});

it("takes another one when it was done", () => {
  const keys = requestKeys();
  const first = keys.of({ gpus: 1 });
  keys.done();
  expect(keys.of({ gpus: 1 })).not.toBe(first);
});
