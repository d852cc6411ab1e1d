// The page's connection to its session: what the portal reports, as it changes, and what the portal is asked to do.
// Where the server knows no portal, it stays silent.
import { sessionWords as words } from "./session-words.js";

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 60_000;
/** The server sends something every 20 s. */
const SILENCE_MS = 45_000;

export class Link {
  /** Where the portal's pages are; null until the server has said so. */
  here = null;
  session = null;
  messages = [];
  /** Whether the portal answers; `session` is what it said last. */
  away = false;
  /** Whether the stream from the session's own server is open. */
  connected = false;
  #abort = null;
  #timer = 0;
  #wait = FIRST_WAIT_MS;
  #useless = false;

  constructor(settings, ServerConnection, Signal) {
    this.settings = settings;
    this.connection = ServerConnection;
    this.changed = new Signal(this);
    /** Emitted when the stream was lost, and each time it could not be opened again. */
    this.lost = new Signal(this);
  }

  /** Follow the session while this tab is visible: a hidden one has nothing to show. */
  start() {
    document.addEventListener("visibilitychange", () => this.#attend());
    this.#attend();
  }

  /** The session has ended: look for it no more. */
  finish() {
    this.#useless = true;
    clearTimeout(this.#timer);
    this.#abort?.abort();
    if (this.session !== null) this.session = { ...this.session, state: "ended", usage: null };
    this.changed.emit("ended");
  }

  /** The address of one of the portal's pages. */
  page(path) {
    return `${this.here.pages}/${path}`;
  }

  get sessionPage() {
    return this.page(`sessions/${this.here.session}`);
  }

  /** `{ok, body}`; with a message for people as `problem` unless ok. Never throws. */
  async ask(method, path, body) {
    try {
      const request = { method, ...(body ? { body: JSON.stringify(body) } : {}) };
      const response = await this.#fetch(path, request);
      const text = await response.text();
      const answer = text ? JSON.parse(text) : {};
      if (response.ok) return { ok: true, body: answer };
      const { message, hint } = answer.error ?? {};
      return { ok: false, problem: [message ?? response.statusText, hint].filter(Boolean).join(" ") };
    } catch {
      return { ok: false, problem: words.unreachable };
    }
  }

  #fetch(path, request) {
    return this.connection.makeRequest(`${this.settings.baseUrl}portal/session${path}`, request, this.settings);
  }

  #attend() {
    if (document.hidden) {
      clearTimeout(this.#timer);
      this.#abort?.abort();
    } else if (this.#abort === null && !this.#useless) void this.#follow();
  }

  async #follow() {
    clearTimeout(this.#timer);
    const abort = (this.#abort = new AbortController());
    try {
      const response = await this.#fetch("/events", { signal: abort.signal });
      if (response.status === 404 && this.here === null) this.#useless = true;
      if (!response.ok) throw new Error(response.statusText);
      this.connected = true;
      this.#wait = FIRST_WAIT_MS;
      await this.#read(response.body, abort);
    } catch {
      // Lost, refused or hidden: below.
    }
    abort.abort();
    this.#abort = null;
    if (this.#useless || document.hidden) return;
    this.connected = false;
    this.lost.emit();
    this.#timer = setTimeout(() => this.#attend(), this.#wait);
    this.#wait = Math.min(LONGEST_WAIT_MS, this.#wait * 2);
  }

  async #read(body, abort) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const silence = setTimeout(() => abort.abort(), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      const frames = (rest + value).split("\n\n");
      rest = frames.pop();
      frames.forEach((frame) => this.#hear(frame));
    }
  }

  #hear(frame) {
    const [, kind, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
    if (kind === undefined) return;
    const news = JSON.parse(data);
    if (kind === "here") this.here = news;
    if (kind === "session") this.session = news;
    if (kind === "messages") this.messages = news.items;
    if (kind !== "here") this.away = kind === "away";
    this.changed.emit(kind);
  }
}
