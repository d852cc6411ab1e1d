import { expect, it } from "vitest";

import { strings } from "~/strings/en";
import { operation } from "../../mock/files";
import { merged } from "./operations";

it("says what is known of one that went down with the portal, and keeps saying it", () => {
  const running = operation({ id: "a" });
  const over = operation({ id: "b", state: "done", ended: running.updated });
  const listed = operation({ id: "c" });
  const told = merged([listed], [running, over, listed]);
  expect(told).toEqual([listed, { ...running, state: "unknown", ended: running.updated, message: strings.files.operations.restarted }]);
  expect(merged([listed], told)).toEqual(told);
});

it("does not go back to what an answer said that was overtaken by the stream", () => {
  const before = operation({ id: "a", entries_done: 5, updated: "2026-01-01T10:00:02Z" });
  expect(merged([operation({ id: "a", entries_done: 1, updated: "2026-01-01T10:00:01Z" })], [before])).toEqual([before]);
});
