import { describe, expect, it, vi } from "vitest";

import { fromResponse, fromThrown } from "~/api/errors";
import { foldersOf } from "./chosen";
import { UploadQueue, guard, type Conflict, type Events } from "./uploads";

const file = (name: string) => new File(["hello"], name);

function begin(names: string[]) {
  const sent: { path: string; conflict: Conflict; events: Events; started: boolean; ended: boolean | undefined }[] = [];
  const queue = new UploadQueue((_file, path, conflict, events) => {
    const sending = { path, conflict, events, started: false, ended: undefined as boolean | undefined };
    sent.push(sending);
    return Promise.resolve({
      start: () => void (sending.started = true),
      abort: (forGood = false) => Promise.resolve(void (sending.ended = forGood)),
    });
  });
  queue.add(names.map((name) => ({ file: file(name), path: `~/${name}` })));
  return { queue, sent, states: () => queue.snapshot().map(({ state }) => state) };
}

it("has the folders read once when hundreds of uploads are through, and every two seconds until then", () => {
  vi.useFakeTimers();
  const all: Events[] = [];
  const read = vi.fn();
  const queue = new UploadQueue((_file, _path, _conflict, events) => {
    all.push(events);
    return Promise.resolve({ start: () => {}, abort: () => Promise.resolve() });
  }, read);
  queue.add(Array.from({ length: 300 }, (_, at) => ({ file: file(`f${at}`), path: `~/f${at}` })));
  for (let at = 0; at < 299; at += 1) all[at]?.onSuccess();
  expect(read).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(2000);
  expect(read).toHaveBeenCalledTimes(1);
  all[299]?.onSuccess();
  expect(read).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(read).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it("tries lost uploads again although the browser was never offline", () => {
  vi.useFakeTimers();
  const { sent, states } = begin(["a"]);
  sent[0]?.events.onError(fromThrown(new TypeError()));
  expect(states()).toEqual(["lost"]);
  vi.advanceTimersByTime(15_000);
  expect(states()).toEqual(["running"]);
  expect(sent).toHaveLength(2);
  vi.useRealTimers();
});

it("warns before the app is left while an upload is active, and only then", () => {
  const leave = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const { queue, sent } = begin([]);
  guard(queue);
  expect(leave()).toBe(false);
  queue.add([{ file: file("a"), path: "~/a" }]);
  expect(leave()).toBe(true);
  sent[0]?.events.onSuccess();
  expect(leave()).toBe(false);
});

describe("UploadQueue", () => {
  it("sends two at a time, and the next when one is done", async () => {
    const { sent, states } = begin(["a", "b", "c"]);
    await vi.waitFor(() => expect(sent.map(({ started }) => started)).toEqual([true, true]));
    expect(states()).toEqual(["running", "running", "waiting"]);
    sent[0]?.events.onSuccess();
    expect(states()).toEqual(["done", "running", "running"]);
  });

  it("keeps what has arrived when it is paused, and deletes it when it is cancelled", async () => {
    const { queue, sent, states } = begin(["a", "b"]);
    const [first, second] = queue.snapshot();
    queue.pause(first?.id ?? 0);
    queue.cancel(second?.id ?? 0);
    await vi.waitFor(() => expect(sent.map(({ ended }) => ended)).toEqual([false, true]));
    expect(states()).toEqual(["paused"]);
    queue.resume(first?.id ?? 0);
    expect(states()).toEqual(["running"]);
  });

  it("asks once about taken names, and answers for all", () => {
    const { queue, sent, states } = begin(["a", "b"]);
    sent.forEach(({ events }) => events.onError(fromResponse(409, { error: { code: "exists", message: "taken" } })));
    expect(states()).toEqual(["clash", "clash"]);
    queue.settle("rename");
    expect(sent.slice(2).map(({ conflict }) => conflict)).toEqual(["rename", "rename"]);
  });

  it("skips taken names", () => {
    const { queue, sent, states } = begin(["a"]);
    sent[0]?.events.onError(fromResponse(409, { error: { code: "exists", message: "taken" } }));
    queue.settle(null);
    expect(states()).toEqual([]);
  });

  it("continues after a lost connection, but not after a refusal", () => {
    const { queue, sent, states } = begin(["a", "b"]);
    sent[0]?.events.onError(fromThrown(new TypeError()));
    sent[1]?.events.onError(fromResponse(422, { error: { code: "disk_full", message: "full" } }));
    expect(states()).toEqual(["lost", "failed"]);
    queue.reconnect();
    expect(states()).toEqual(["running", "failed"]);
  });
});

it("makes the outer folders first, each once", () => {
  const chosen = ["a/b/x", "a/y", "z"].map((path) => ({ file: file("x"), path }));
  expect(foldersOf(chosen)).toEqual(["a", "a/b"]);
});
