import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { read } from "./clipboard";
import { Connection, type State } from "./connection";
import { RETURN, keysyms } from "./keysyms";

interface Made {
  events: EventTarget & { resizeSession: boolean; viewOnly: boolean };
  paste: string[];
}
const made = vi.hoisted(() => [] as Made[]);

vi.mock("@novnc/novnc", () => ({
  default: class extends EventTarget {
    resizeSession = false;
    viewOnly = false;
    paste: string[] = [];
    constructor() {
      super();
      made.push({ events: this, paste: this.paste });
    }
    focus() {}
    clipboardPasteFrom(text: string) {
      this.paste.push(text);
    }
  },
}));

describe("keysyms", () => {
  it("names Latin-1 by itself, and other characters by their code point", () => {
    expect(keysyms("aé€\n😀")).toEqual([0x61, 0xe9, 0x010020ac, RETURN, 0x0101f600]);
  });
});

describe("clipboard", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("asks for nothing that the user has not allowed", async () => {
    const readText = vi.fn().mockResolvedValue("secret");
    const query = vi.fn().mockResolvedValue({ state: "prompt" });
    vi.stubGlobal("navigator", { clipboard: { readText }, permissions: { query } });
    expect(await read({ ask: false })).toBeUndefined();
    expect(readText).not.toHaveBeenCalled();
    expect(await read({ ask: true })).toBe("secret");
  });

  it("does without one, as over plain http", async () => {
    vi.stubGlobal("navigator", {});
    expect(await read({ ask: true })).toBeUndefined();
  });
});

describe("connection", () => {
  beforeEach(() => {
    made.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  const connect = (viewOnly = false) => {
    const states: State[] = [];
    const copied: string[] = [];
    const connection = new Connection(
      "ws://x/rfb",
      document.createElement("main"),
      (state) => states.push(state),
      (text) => copied.push(text),
      viewOnly,
    );
    return { connection, states, copied };
  };

  it("is opened again after a loss, later each time until one holds", () => {
    const { states } = connect();
    made[0]?.events.dispatchEvent(new Event("connect"));
    made[0]?.events.dispatchEvent(new Event("disconnect"));
    expect(states).toEqual(["connecting", "open", "lost"]);
    vi.advanceTimersByTime(500);
    expect(made).toHaveLength(2);
    made[1]?.events.dispatchEvent(new Event("disconnect"));
    vi.advanceTimersByTime(999);
    expect(made).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(made).toHaveLength(3);
    made[2]?.events.dispatchEvent(new Event("connect"));
    made[2]?.events.dispatchEvent(new Event("disconnect"));
    vi.advanceTimersByTime(500);
    expect(made).toHaveLength(4);
  });

  it("changes nothing for who only looks, its size included", () => {
    const { connection } = connect(true);
    connection.resize(true);
    expect(made[0]?.events).toMatchObject({ viewOnly: true, resizeSession: false });
    const { connection: owners } = connect();
    owners.resize(true);
    expect(made[1]?.events).toMatchObject({ viewOnly: false, resizeSession: true });
  });

  it("passes text both ways", () => {
    const { connection, copied } = connect();
    connection.paste("there");
    made[0]?.events.dispatchEvent(new CustomEvent("clipboard", { detail: { text: "here" } }));
    expect(made[0]?.paste).toEqual(["there"]);
    expect(copied).toEqual(["here"]);
  });
});
