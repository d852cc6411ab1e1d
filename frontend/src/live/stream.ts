// One server-sent event stream that never gives up: reconnects with back-off and reports gaps.
import { sources, type Source } from "./source";

export interface StreamHandlers {
  /** Handlers by event name; they get the event's data, parsed. */
  on: Record<string, (data: unknown) => void>;
  /** It is live; `again` after a gap, even one at the very start, unless it resumes after the last event. */
  onOpen?: (again: boolean) => void;
  /** It broke, or could not be opened; it retries by itself. */
  onLost?: () => void;
}

export interface StreamDependencies {
  create: (url: string, after: string) => Source;
  random: () => number;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Delay before the retry after `failures` failures in a row: doubled each time, half of it random. */
export function backoff(failures: number, random: () => number): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
  return full / 2 + (full / 2) * random();
}

export class LiveStream {
  private source: Source | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private wasOpen = false;
  /** The id of the last event, after which a resumable stream continues; one that cannot resume sends `reset`. */
  private last = "";

  constructor(
    private readonly url: string | (() => string),
    private readonly handlers: StreamHandlers,
    private readonly dependencies: StreamDependencies = {
      create: (address, after) => sources.create(address, after),
      random: Math.random,
    },
  ) {}

  open(): void {
    if (this.source !== undefined || this.timer !== undefined) return;
    const source = this.dependencies.create(typeof this.url === "string" ? this.url : this.url(), this.last);
    const goesOn = this.last !== "";
    this.source = source;
    source.addEventListener("open", () => {
      const again = this.wasOpen || this.failures > 0;
      this.failures = 0;
      this.handlers.onOpen?.(again && !goesOn);
      this.wasOpen = true;
    });
    source.addEventListener("error", () => this.lost());
    for (const [name, handle] of Object.entries(this.handlers.on)) {
      source.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>;
        if ("reset" in this.handlers.on) this.last = lastEventId;
        handle(parse(data));
      });
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = undefined;
  }

  private lost(): void {
    this.close();
    this.failures += 1;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.open();
    }, backoff(this.failures, this.dependencies.random));
    this.handlers.onLost?.();
  }
}

function parse(data: string): unknown {
  return data === "" ? null : JSON.parse(data);
}
