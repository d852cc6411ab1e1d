import { expect, it } from "vitest";

import { row } from "../../mock/jobs";
import { NEWEST_FIRST, nextOrder, readOrder, sorted, writeOrder } from "./sort";

const rows = [
  row({ id: "1", name: "b", gpus: 4, submitted_at: "2026-11-21T10:00:00Z" }),
  row({ id: "2", name: "A", gpus: 0, submitted_at: "2026-11-21T12:00:00Z" }),
  row({ id: "3", name: "c", gpus: 8, submitted_at: null }),
];
const ids = (text: string) => sorted(rows, readOrder(text)).map(({ id }) => id);

it("reads and writes the address, and forgets what it does not know", () => {
  expect(readOrder("-name")).toEqual({ by: "name", down: true });
  expect(readOrder("toString")).toEqual(NEWEST_FIRST);
  expect(writeOrder(NEWEST_FIRST)).toBe("");
  expect(writeOrder({ by: "name", down: true })).toBe("-name");
});

it("sorts by names as people do, by numbers as numbers", () => {
  expect(ids("name")).toEqual(["2", "1", "3"]);
  expect(ids("-resources")).toEqual(["3", "1", "2"]);
  expect(ids("submitted")).toEqual(["1", "2", "3"]);
});

it("turns round on a second click", () => {
  expect(nextOrder(NEWEST_FIRST, "submitted")).toEqual({ by: "submitted", down: false });
  expect(nextOrder(NEWEST_FIRST, "name")).toEqual({ by: "name", down: false });
});
