// Server-sent events read with fetch, in the shape of the browser's EventSource, for two things that one cannot do:
// notice silence (a proxy keeps a connection open for ever after its server is gone; the server's pings are comments,
// which an EventSource swallows), and leave reconnecting to us.
import { createParser } from "eventsource-parser";

/** The portal sends something at least every 10 s. */
const SILENCE_MS = 25_000;

export class StreamSource extends EventTarget {
  private readonly abort = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly silenceMs = SILENCE_MS,
    /** The id of the last event already read: the stream resumes after it. */
    private readonly after = "",
  ) {
    super();
    void this.run();
  }

  close(): void {
    clearTimeout(this.timer);
    this.abort.abort();
  }

  private async run(): Promise<void> {
    try {
      this.alive();
      const response = await fetch(this.url, {
        headers: { Accept: "text/event-stream", ...(this.after === "" ? {} : { "Last-Event-ID": this.after }) },
        cache: "no-store",
        signal: this.abort.signal,
      });
      if (!response.ok || response.body === null) throw new Error(`stream refused with ${response.status}`);
      this.dispatchEvent(new Event("open"));
      await this.read(response.body);
    } catch {
      // Refused, broken, silent or closed by us: all end the same way.
    }
    if (this.abort.signal.aborted) return;
    this.fail();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
    let lastEventId = "";
    const parser = createParser({
      onEvent: ({ event = "message", data, id = lastEventId }) => {
        lastEventId = id;
        this.dispatchEvent(new MessageEvent(event, { data, lastEventId }));
      },
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.alive();
      parser.feed(value);
    }
  }

  private alive(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fail(), this.silenceMs);
  }

  private fail(): void {
    this.close();
    this.dispatchEvent(new Event("error"));
  }
}

export type Source = EventTarget & { close: () => void };

/** How streams are opened; tests replace it. */
export const sources = {
  create: (url: string, after = ""): Source => new StreamSource(url, SILENCE_MS, after),
};
