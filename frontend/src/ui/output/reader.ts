// Reads a growing file into a buffer: its end first, then live additions; earlier text on demand. Additions are batched
// about ten times a second, so that several MB a second leave the page responsive.
import { fromThrown, type Problem } from "~/api/errors";
import { LiveStream } from "~/live/stream";
import { OutputBuffer, type Piece } from "./buffer";

export interface OutputSource {
  /** Another key means another file: what was read is dropped. */
  key: string;
  /** A negative offset counts from the end. */
  read: (offset: number, limit: number) => Promise<Piece>;
  /** URL of the event stream from an offset; without it, more is read on demand. */
  follow?: (offset: number) => string;
}

export type ReaderState = "reading" | "following" | "lost" | "paused" | "still";

const FIRST_PIECE = 262_144;
const LATER_PIECE = 1_048_576;
/** The portal's minimum per read: the longest encoding of one character. */
const LEAST = 4;
/** The minimum interval between batches: the time in between is for scrolling and typing. */
const TAKEN_EVERY_MS = 100;
/** A hidden page draws no frames; this empties the queue all the same. */
const HIDDEN_MS = 500;

export class OutputReader {
  readonly buffer = new OutputBuffer();
  state: ReaderState = "reading";
  problem: Problem | null = null;
  /** Earlier text is loading. */
  earlier = false;
  /** Whether the view is at the end and follows it: only then may old lines be removed. */
  atEnd = true;
  /** Changes with everything above. */
  version = 0;

  private queue: Piece[] = [];
  private scheduled = false;
  private takenAt = 0;
  private stream: LiveStream | undefined;
  /** Counts starts: results of an earlier start are ignored. */
  private run = 0;
  private readonly readers = new Set<() => void>();

  constructor(
    private readonly source: OutputSource,
    private readonly gap: (bytes: number) => string,
  ) {}

  /** Whether more may arrive without a request. */
  get grows(): boolean {
    return this.source.follow !== undefined;
  }

  readonly subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  };

  /** Starts, retries after a problem, or resumes after a pause. */
  async start(): Promise<void> {
    this.close();
    const run = this.run;
    this.set("reading");
    try {
      const { buffer, source } = this;
      const piece = buffer.empty ? await source.read(-FIRST_PIECE, FIRST_PIECE) : await source.read(buffer.to, LATER_PIECE);
      if (run !== this.run) return;
      buffer.append(piece, this.gap);
      if (this.atEnd) buffer.trim();
      this.problem = null;
      this.listen();
    } catch (thrown) {
      if (run !== this.run) return;
      this.problem = fromThrown(thrown);
      this.set("still");
    }
  }

  stayAtEnd(wanted: boolean): void {
    if (this.atEnd === wanted) return;
    this.atEnd = wanted;
    this.changed();
  }

  pause(): void {
    this.flush();
    this.close();
    this.set("paused");
  }

  async readEarlier(): Promise<void> {
    const { buffer } = this;
    if (this.earlier || buffer.from === 0) return;
    this.earlier = true;
    this.atEnd = false;
    this.changed();
    try {
      const offset = Math.max(0, buffer.from - FIRST_PIECE);
      buffer.prepend(await this.source.read(offset, Math.max(LEAST, buffer.from - offset)));
    } catch (thrown) {
      this.problem = fromThrown(thrown);
    }
    this.earlier = false;
    this.changed();
  }

  close(): void {
    this.run += 1;
    this.stream?.close();
    this.stream = undefined;
    this.queue = [];
  }

  private listen(): void {
    const { follow } = this.source;
    if (follow === undefined) {
      this.set("still");
      return;
    }
    this.stream = new LiveStream(() => follow(this.queue.at(-1)?.next_offset ?? this.buffer.to), {
      on: {
        piece: (data) => this.take(data as Piece),
        end: () => {
          this.flush();
          this.close();
          this.set("still");
        },
      },
      onOpen: () => this.set("following"),
      onLost: () => this.set("lost"),
    });
    this.set("following");
    this.stream.open();
  }

  private take(piece: Piece): void {
    this.queue.push(piece);
    if (this.scheduled) return;
    this.scheduled = true;
    const flush = () => this.flush();
    const wait = this.takenAt + TAKEN_EVERY_MS - performance.now();
    if (document.hidden) setTimeout(flush, HIDDEN_MS);
    else if (wait > 0) setTimeout(flush, wait);
    else requestAnimationFrame(flush);
  }

  private flush(): void {
    this.scheduled = false;
    if (this.queue.length === 0) return;
    this.takenAt = performance.now();
    const pieces = this.queue;
    this.queue = [];
    for (const piece of pieces) this.buffer.append(piece, this.gap);
    if (this.atEnd) this.buffer.trim();
    // A user reading further up keeps that part; the rest waits in the file.
    else if (this.buffer.full) this.pause();
    this.changed();
  }

  private set(state: ReaderState): void {
    this.state = state;
    this.changed();
  }

  private changed(): void {
    this.version += 1;
    this.readers.forEach((read) => read());
  }
}
