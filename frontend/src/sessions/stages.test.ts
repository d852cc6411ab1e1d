import { expect, it } from "vitest";

import type { ProgressEvent, SessionState } from "~/api/types";
import { session } from "../../mock/sessions";
import { stagesOf } from "./stages";

const T = (second: number) => new Date(Date.UTC(2026, 10, 24, 12, 0, second)).toISOString();
const event = (seq: number, state: SessionState, message: string): ProgressEvent => ({
  seq,
  at: T(seq),
  stage: state,
  state,
  message,
  progress: 0,
});
const states = (...args: Parameters<typeof stagesOf>) => stagesOf(...args).map(({ state }) => state);
const BLANK = { queued_at: null, started_at: null, ready_at: null };

it("shows a queued session between what is done and what is to come", () => {
  const queued = session({ ...BLANK, state: "queued", queued_at: T(1) });
  expect(states(queued, [])).toEqual(["done", "now", "next", "next", "next"]);
});

it("shows all as done when it is ready, with the times it knows", () => {
  const ready = session({ state: "ready", created_at: T(0), queued_at: null, started_at: T(2), ready_at: T(9) });
  const stages = stagesOf(ready, [event(5, "starting", "Starting JupyterLab.")]);
  expect(stages.map(({ state }) => state)).toEqual(["done", "done", "done", "done", "done"]);
  expect(stages.map(({ at }) => at)).toEqual([T(0), null, T(2), T(5), T(9)]);
});

it("shows how far an ended session came", () => {
  const ended = session({ ...BLANK, state: "ended", queued_at: T(1) });
  expect(states(ended, [])).toEqual(["done", "done", "missed", "missed", "missed"]);
  expect(states(ended, [event(3, "starting", "x")])).toEqual(["done", "done", "done", "done", "missed"]);
});

it("says each sentence of a stage once", () => {
  const events = [event(1, "queued", "Waiting."), event(2, "queued", "Waiting."), event(3, "queued", "Next in line.")];
  const [, queued] = stagesOf(session({ state: "queued" }), events);
  expect(queued?.messages).toEqual(["Waiting.", "Next in line."]);
});
