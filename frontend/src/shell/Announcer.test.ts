import { expect, it } from "vitest";

import { session } from "../../mock/sessions";
import { newsOf } from "./Announcer";

it("says what came, what changed, and what is gone, and nothing else", () => {
  const same = session({ id: "a", name: "same" });
  const starting = session({ id: "b", name: "bert", state: "starting" });
  const gone = session({ id: "c", name: "old" });
  const fresh = session({ id: "d", name: "new", state: "submitted" });
  expect(newsOf([same, starting, gone], [same, { ...starting, state: "ready" }, fresh])).toEqual([
    "bert: Ready.",
    "new: Submitted.",
    "old: Ended.",
  ]);
});
