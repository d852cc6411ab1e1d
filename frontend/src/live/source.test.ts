import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { StreamSource } from "./source";

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

  it("hands on events in whatever pieces they come, each with the last id", async () => {
    const { source, seen, settle, push } = open();
    source.addEventListener("news", (event) => seen.push((event as MessageEvent<string>).lastEventId));
    await settle();
    for (const piece of ["retry: 2000\n\n: ping\n\nid: e-7\neve", "nt: news\nda", "ta: 1\r", "\ndata: 2\n\nevent: news\ndata: 3\n\ndata: lost\n"]) {
      push(piece);
      await settle();
    }
    expect(seen).toEqual(["open", "1\n2", "e-7", "3", "e-7"]);
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
