// Server-sent events read with fetch, in the shape of the browser's EventSource, for two things that one cannot do:
// notice silence (a proxy keeps a connection open for ever after its server is gone; the server's pings are comments,
// which an EventSource swallows), and leave reconnecting to us.

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
    const parse = eventParser((name, data, lastEventId) => this.dispatchEvent(new MessageEvent(name, { data, lastEventId })));
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.alive();
      parse(value);
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

/**
 * Takes the stream's text in pieces of any size and passes on each complete event with the last id. Ignores retry
 * times.
 */
export function eventParser(onEvent: (name: string, data: string, id: string) => void): (piece: string) => void {
  let rest = "";
  let name = "message";
  let id = "";
  let data: string[] = [];
  const line = (text: string) => {
    if (text === "") {
      if (data.length > 0) onEvent(name, data.join("\n"), id);
      name = "message";
      data = [];
      return;
    }
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? [];
    if (field === "event") name = value;
    if (field === "id") id = value;
    if (field === "data") data.push(value);
  };
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    lines.forEach(line);
  };
}

export type Source = EventTarget & { close: () => void };

/** How streams are opened; tests replace it. */
export const sources = {
  create: (url: string, after = ""): Source => new StreamSource(url, SILENCE_MS, after),
};
