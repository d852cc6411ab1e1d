// The queue of uploads: two at a time, each resumable. It lives as long as the app's page; the address of an unfinished
// upload is kept in the browser, so that the same file continues after a reload.
import type { DetailedError, HttpRequest, Upload } from "tus-js-client";

import { csrfHeaders } from "~/api/client";
import { fromResponse, fromThrown, type Problem } from "~/api/errors";
import { transfers } from "~/paths";

export type Conflict = "refuse" | "rename" | "replace";
export type UploadState = "waiting" | "running" | "paused" | "lost" | "clash" | "failed" | "done";

export interface UploadItem {
  id: number;
  path: string;
  size: number;
  sent: number;
  /** Bytes a second since it last started; null: not known yet. */
  speed: number | null;
  state: UploadState;
  problem: Problem | null;
}

export interface Sending {
  start: () => void;
  abort: (forGood?: boolean) => Promise<void>;
}

export interface Events {
  onProgress: (sent: number) => void;
  onSuccess: () => void;
  onError: (problem: Problem) => void;
}

export type Send = (file: File, path: string, conflict: Conflict, events: Events) => Promise<Sending>;

const AT_ONCE = 2;
const TELL_MS = 2000;
/** After this, what a lost connection cut is tried again, even if the browser never called itself offline. */
const LOST_MS = 15_000;

export class UploadQueue {
  private items: readonly UploadItem[] = [];
  private readonly files = new Map<number, File>();
  private readonly sendings = new Map<number, Promise<Sending>>();
  private readonly readers = new Set<() => void>();
  /** The answer to the question about taken names, for what is in the queue. */
  private conflict: Conflict = "refuse";
  private count = 0;
  private telling: ReturnType<typeof setTimeout> | undefined;
  private retrying: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly send: Send,
    private readonly onDone: () => void = () => {},
  ) {}

  readonly subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  };
  readonly snapshot = (): readonly UploadItem[] => this.items;

  add(files: readonly { file: File; path: string }[]): void {
    if (!this.active) this.conflict = "refuse";
    for (const { file, path } of files) {
      const id = (this.count += 1);
      this.files.set(id, file);
      this.items = [...this.items, { id, path, size: file.size, sent: 0, speed: null, state: "waiting", problem: null }];
    }
    this.next();
  }

  get active(): boolean {
    return this.items.some(({ state }) => !["done", "failed"].includes(state));
  }

  pause(id: number): void {
    void this.sendings.get(id)?.then((sending) => sending.abort());
    this.set(id, { state: "paused", speed: null });
    this.next();
  }

  resume(id: number): void {
    this.set(id, { state: "waiting", problem: null });
    this.next();
  }

  /** Ends it; what has arrived is deleted. */
  cancel(id: number): void {
    void this.sendings.get(id)?.then((sending) => sending.abort(true));
    this.drop([id]);
    this.next();
  }

  /** Answers the question about taken names for all that wait; null: these are not uploaded. */
  settle(conflict: "rename" | "replace" | null): void {
    const taken = this.items.filter(({ state }) => state === "clash").map(({ id }) => id);
    if (conflict === null) this.drop(taken);
    else {
      this.conflict = conflict;
      for (const id of taken) {
        this.sendings.delete(id);
        this.set(id, { state: "waiting" });
      }
    }
    this.next();
  }

  /** Continues what was cut by a lost connection. */
  reconnect(): void {
    for (const { id, state } of this.items) if (state === "lost") this.set(id, { state: "waiting" });
    this.next();
  }

  clear(): void {
    this.drop(this.items.filter(({ state }) => state === "done" || state === "failed").map(({ id }) => id));
  }

  private next(): void {
    const running = this.items.filter(({ state }) => state === "running").length;
    for (const { id } of this.items.filter(({ state }) => state === "waiting").slice(0, Math.max(0, AT_ONCE - running))) this.run(id);
  }

  private run(id: number): void {
    const item = this.items.find((other) => other.id === id);
    const file = this.files.get(id);
    if (item === undefined || file === undefined) return;
    this.set(id, { state: "running" });
    const began = performance.now();
    let first: number | null = null;
    const sending = this.send(file, item.path, this.conflict, {
      onProgress: (sent) => {
        first ??= sent;
        const seconds = (performance.now() - began) / 1000;
        this.set(id, { sent, speed: seconds < 1 ? null : (sent - first) / seconds });
      },
      onSuccess: () => this.end(id, { state: "done", sent: item.size, speed: null }),
      onError: (problem) => this.end(id, { state: stateAfter(problem), problem, speed: null }),
    });
    this.sendings.set(id, sending);
    sending.then(
      (ready) => this.items.some((now) => now.id === id && now.state === "running") && ready.start(),
      (thrown: unknown) => this.end(id, { state: "failed", problem: fromThrown(thrown) }),
    );
  }

  private end(id: number, change: Partial<UploadItem>): void {
    this.set(id, change);
    if (change.state === "done") {
      this.files.delete(id);
      this.tell();
    }
    if (change.state === "lost") {
      this.retrying ??= setTimeout(() => {
        this.retrying = undefined;
        this.reconnect();
      }, LOST_MS);
    }
    this.next();
  }

  /** Tells of finished uploads once all are through, and every few seconds until then. */
  private tell(): void {
    if (this.active) {
      this.telling ??= setTimeout(() => {
        this.telling = undefined;
        this.onDone();
      }, TELL_MS);
      return;
    }
    clearTimeout(this.telling);
    this.telling = undefined;
    this.onDone();
  }

  private set(id: number, change: Partial<UploadItem>): void {
    this.items = this.items.map((item) => (item.id === id ? { ...item, ...change } : item));
    this.readers.forEach((read) => read());
  }

  private drop(ids: readonly number[]): void {
    this.items = this.items.filter(({ id }) => !ids.includes(id));
    for (const id of ids) this.files.delete(id);
    this.readers.forEach((read) => read());
  }
}

function stateAfter({ kind, code }: Problem): UploadState {
  if (code === "exists") return "clash";
  return kind === "offline" || kind === "later" ? "lost" : "failed";
}

const PIECE = 16 * 1024 * 1024;
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

/** Sends files of this user's by tus 1.0; the client loads when the first file is sent. */
export const sendByTus = (owner: () => string): Send => async (file, path, conflict, { onProgress, onSuccess, onError }) => {
  const tus = await import("tus-js-client");
  const upload: Upload = new tus.Upload(file, {
    endpoint: transfers.uploads(),
    metadata: { path, conflict, mtime: String(Math.floor(file.lastModified / 1000)) },
    chunkSize: PIECE,
    retryDelays: RETRY_MS,
    removeFingerprintOnSuccess: true,
    fingerprint: () => Promise.resolve(fingerprintOf(owner(), file, path)),
    onBeforeRequest: async (request) => {
      Object.entries(csrfHeaders()).forEach(([name, value]) => request.setHeader(name, value));
      if (request.getMethod() === "PATCH") await addChecksum(request, file);
    },
    onShouldRetry: (error) => isTransient(error.originalResponse?.getStatus()),
    onProgress,
    onSuccess,
    onError: (error) => onError(problemOf(error)),
  });
  const [before] = await upload.findPreviousUploads();
  if (before !== undefined) upload.resumeFromPreviousUpload(before);
  return { start: () => upload.start(), abort: (forGood) => upload.abort(forGood) };
};

/** Another user's upload of the same file is not continued. */
const fingerprintOf = (owner: string, { size, lastModified }: File, path: string) => ["tus", owner, path, size, lastModified].join("::");

/** Has the portal check the piece that a request sends. Browsers compute checksums on HTTPS alone. */
async function addChecksum(request: HttpRequest, file: File): Promise<void> {
  if (!window.isSecureContext) return;
  const from = Number(request.getHeader("Upload-Offset"));
  const digest = await crypto.subtle.digest("SHA-256", await file.slice(from, from + PIECE).arrayBuffer());
  request.setHeader("Upload-Checksum", `sha256 ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`);
}

/** 460: the piece arrived damaged (tus 1.0, checksum). */
const isTransient = (status: number | undefined) => status === undefined || [0, 429, 460].includes(status) || status >= 500;

function problemOf(error: Error | DetailedError): Problem {
  const response = "originalResponse" in error ? error.originalResponse : null;
  if (response === null || response.getStatus() === 0) return fromThrown(new TypeError());
  try {
    return fromResponse(response.getStatus(), JSON.parse(response.getBody()));
  } catch {
    return fromResponse(response.getStatus(), null);
  }
}

/** Warns before the app is left while uploads are active, and continues them when the browser is online again. */
export function guard(queue: UploadQueue): void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  queue.subscribe(() => (queue.active ? window.addEventListener("beforeunload", warn) : window.removeEventListener("beforeunload", warn)));
  window.addEventListener("online", () => queue.reconnect());
}

/** An upload that this user began in this browser and did not finish: the page was closed, or it failed. */
export interface Unfinished {
  key: string;
  path: string;
  size: number;
  url: string;
}

export async function unfinished(owner: string): Promise<Unfinished[]> {
  // The client keeps them there; without any it is not loaded.
  const own = `tus::tus::${owner}::`;
  if (!Object.keys(localStorage).some((key) => key.startsWith(own))) return [];
  const { defaultOptions } = await import("tus-js-client");
  const all = await defaultOptions.urlStorage.findAllUploads();
  return all
    .filter(({ urlStorageKey }) => urlStorageKey.startsWith(own))
    .map(({ urlStorageKey, metadata, size, uploadUrl }) => ({ key: urlStorageKey, path: metadata["path"] ?? "", size: size ?? 0, url: uploadUrl ?? "" }))
    .filter(({ path }) => path !== "");
}

/** Forgets an upload and deletes what arrived; the portal deletes what cannot be reached now after seven days. */
export async function discard({ key, url }: Unfinished): Promise<void> {
  const { Upload: Tus, defaultOptions } = await import("tus-js-client");
  await defaultOptions.urlStorage.removeUpload(key);
  await Tus.terminate(url, { retryDelays: null, headers: csrfHeaders() }).catch(() => undefined);
}
