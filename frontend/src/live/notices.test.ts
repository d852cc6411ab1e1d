import { describe, expect, it } from "vitest";

import { ahead } from "../../mock/units";
import { seen, session } from "../../mock/sessions";
import { noticeOf, soonNotice } from "./notices";

const end = (code: string) => ({ code, text: "It reached its time limit.", advice: null, exit_code: null, ...seen });

describe("noticeOf", () => {
  const starting = session({ state: "starting", name: "bert" });
  const ready = session({ state: "ready", name: "bert" });

  it("tells when a session has become ready", () => expect(noticeOf(starting, ready)?.title).toBe("bert is ready"));
  it("tells when one has ended by itself, and how", () => {
    expect(noticeOf(ready, { ...ready, state: "ended", end: end("time_limit") })).toMatchObject({
      title: "bert has ended",
      body: "It reached its time limit.",
    });
  });
  it("is silent about what the user did, and about what has not changed", () => {
    expect(noticeOf({ ...ready, state: "stopping" }, { ...ready, state: "ended", end: end("stopped") })).toBeNull();
    expect(noticeOf(ready, { ...ready, node: "x" })).toBeNull();
    expect(noticeOf(undefined, ready)).toBeNull();
  });
});

it("warns in the last ten minutes only", () => {
  const ends = (seconds: number) => soonNotice(session({ ends_at: ahead(seconds) }), Date.now());
  expect(ends(9 * 60)?.title).toMatch(/^session ends in [89] min$/);
  expect(ends(11 * 60)).toBeNull();
  expect(ends(-5)).toBeNull();
});
