import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { StreamSource, eventParser } from "./source";

describe("eventParser", () => {
  const parsed = (...pieces: string[]) => {
    const events: [string, string][] = [];
    const parse = eventParser((name, data) => events.push([name, data]));
    pieces.forEach(parse);
    return events;
  };

  it("reads events with names, ids and comments between them", () => {
    const text = 'retry: 2000\n\n: ping\n\nid: 7\nevent: session\ndata: {"a":1}\n\ndata: plain\n\n';
    expect(parsed(text)).toEqual([
      ["session", '{"a":1}'],
      ["message", "plain"],
    ]);
  });
  it("tells the last id with each event", () => {
    const ids: string[] = [];
    eventParser((_name, _data, id) => ids.push(id))("data: a\n\nid: e-7\ndata: b\n\ndata: c\n\n");
    expect(ids).toEqual(["", "e-7", "e-7"]);
  });
  it("reads them in whatever pieces they come", () => {
    expect(parsed("eve", "nt: a\nda", "ta: x", "\n", "\nevent: b\ndata: y\n\n")).toEqual([
      ["a", "x"],
      ["b", "y"],
    ]);
  });
  it("knows all ends of line, also cut in two", () => {
    expect(parsed("event: a\r\ndata: x\r", "\n\r\n")).toEqual([["a", "x"]]);
  });
  it("joins lines of data and drops what is not whole", () => {
    expect(parsed("data: 1\ndata:2\n\ndata: lost\n")).toEqual([["message", "1\n2"]]);
  });
});

describe("StreamSource", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open(answer?: Response) {
    let push: (text: string) => void = () => {};
    let end: () => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => controller.enqueue(new TextEncoder().encode(text));
        end = () => controller.close();
      },
    });
    let aborted = false;
    vi.stubGlobal("fetch", (_url: string, { signal }: RequestInit) => {
      signal?.addEventListener("abort", () => (aborted = true));
      return Promise.resolve(answer ?? new Response(body));
    });
    const source = new StreamSource("/events", 1000);
    const seen: string[] = [];
    for (const name of ["open", "error"]) source.addEventListener(name, () => seen.push(name));
    source.addEventListener("news", (event) => seen.push((event as MessageEvent<string>).data));
    const settle = () => vi.advanceTimersByTimeAsync(0);
    return { source, seen, settle, push: (text: string) => push(text), end: () => end(), aborted: () => aborted };
  }

  it("hands on events", async () => {
    const { seen, settle, push } = open();
    await settle();
    push("event: news\ndata: 1\n\n");
    await settle();
    expect(seen).toEqual(["open", "1"]);
  });

  it("gives up on a stream that has fallen silent, and lets go of its connection", async () => {
    const { seen, settle, push, aborted } = open();
    await settle();
    await vi.advanceTimersByTimeAsync(900);
    push(": ping\n\n");
    await vi.advanceTimersByTimeAsync(900);
    expect(seen).toEqual(["open"]);
    await vi.advanceTimersByTimeAsync(200);
    expect(seen).toEqual(["open", "error"]);
    expect(aborted()).toBe(true);
  });

  it("says when the server ends it, or refuses it", async () => {
    const ended = open();
    await ended.settle();
    ended.end();
    await ended.settle();
    expect(ended.seen).toEqual(["open", "error"]);
    const refused = open(new Response(null, { status: 503 }));
    await refused.settle();
    expect(refused.seen).toEqual(["error"]);
  });

  it("is silent once it has been closed", async () => {
    const { source, seen, settle } = open();
    await settle();
    source.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(seen).toEqual(["open"]);
  });
});
