import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { LiveStream, backoff } from "./stream";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const handlers = { on: { news: vi.fn() }, onOpen: vi.fn(), onLost: vi.fn() };
  const stream = new LiveStream("/events", handlers, {
    create: (url) => new FakeEventSource(url),
    random: () => 1,
  });
  stream.open();
  return { stream, handlers };
}

describe("backoff", () => {
  it("doubles up to half a minute, half of it by chance", () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((failures) => backoff(failures, () => 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
    expect(backoff(1, () => 0)).toBe(500);
  });
});

describe("LiveStream", () => {
  it("hands on parsed events", () => {
    const { handlers } = open();
    FakeEventSource.last("/events").send("news", { a: 1 });
    expect(handlers.on.news).toHaveBeenCalledWith({ a: 1 });
  });

  it("opens again by itself and says that there was a gap", () => {
    const { handlers } = open();
    const first = FakeEventSource.last("/events");
    first.connect();
    first.fail();
    expect(first.closed).toBe(true);
    expect(handlers.onLost).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1000);
    FakeEventSource.last("/events").connect();
    expect(handlers.onOpen.mock.calls).toEqual([[false], [true]]);
  });

  it("says that there was a gap when it could not be opened at first", () => {
    const { handlers } = open();
    FakeEventSource.last("/events").fail();
    vi.advanceTimersByTime(1000);
    FakeEventSource.last("/events").connect();
    expect(handlers.onOpen.mock.calls).toEqual([[true]]);
  });

  it("goes on after the last event, where the stream can", () => {
    const handlers = { on: { news: vi.fn(), reset: vi.fn() }, onOpen: vi.fn() };
    new LiveStream("/events", handlers, { create: (url, after) => new FakeEventSource(url, after), random: () => 1 }).open();
    const first = FakeEventSource.last("/events");
    first.connect();
    first.send("news", {}, "e-7");
    first.fail();
    vi.advanceTimersByTime(1000);
    const second = FakeEventSource.last("/events");
    expect(second.after).toBe("e-7");
    second.connect();
    expect(handlers.onOpen.mock.calls).toEqual([[false], [false]]);
    second.send("reset", {});
    expect(handlers.on.reset).toHaveBeenCalledOnce();
  });

  it("waits longer after each failure, and briefly again after a success", () => {
    open();
    FakeEventSource.last("/events").fail();
    vi.advanceTimersByTime(1000);
    FakeEventSource.last("/events").fail();
    vi.advanceTimersByTime(1999);
    expect(FakeEventSource.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    FakeEventSource.last("/events").connect();
    FakeEventSource.last("/events").fail();
    vi.advanceTimersByTime(1000);
    expect(FakeEventSource.all).toHaveLength(4);
  });

  it("stays closed when it is closed, also while it waits to try again", () => {
    const { stream } = open();
    FakeEventSource.last("/events").fail();
    stream.close();
    vi.advanceTimersByTime(60_000);
    expect(FakeEventSource.all).toHaveLength(1);
  });

  it("does not open twice", () => {
    const { stream } = open();
    stream.open();
    expect(FakeEventSource.all).toHaveLength(1);
  });
});
