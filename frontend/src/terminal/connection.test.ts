import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect, type State } from "./connection";

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  static newest: FakeSocket;
  readyState = 0;
  sent: string[] = [];
  onopen = () => {};
  onclose = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  constructor() {
    FakeSocket.made.push(this);
    FakeSocket.newest = this;
  }
  send(data: string | Uint8Array) {
    this.sent.push(typeof data === "string" ? data : new TextDecoder().decode(data));
  }
  opens() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  close() {
    this.readyState = 3;
    this.onclose();
  }
}

let states: State[];

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.made = [];
  states = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function started() {
  const shell = connect("ws://node/shells/1", { output: () => {}, fresh: () => {}, state: (state) => states.push(state) });
  return { shell, socket: () => FakeSocket.newest };
}

it("gives a shell what was typed before it was there, once, after the screen's size", () => {
  const { shell, socket } = started();
  shell.resize(80, 24);
  shell.type("ls");
  shell.type("\r");
  socket().opens();
  shell.type("pwd");
  expect(socket().sent).toEqual(["[80,24]", "ls", "\r", "pwd"]);
});

it("keeps what was typed through attempts that fail, until the first shell is there", () => {
  const { shell, socket } = started();
  shell.type("ls");
  socket().close();
  vi.runAllTimers();
  socket().opens();
  expect(socket().sent).toEqual(["ls"]);
});

it("drops what is typed while a connection is lost", () => {
  const { shell, socket } = started();
  socket().opens();
  socket().close();
  shell.type("rm -r runs");
  vi.runAllTimers();
  socket().opens();
  expect(FakeSocket.made.flatMap(({ sent }) => sent)).toEqual([]);
  expect(states).toEqual(["connecting", "open", "lost", "connecting", "open"]);
});

it("gives another shell what is typed before it is there", () => {
  const { shell, socket } = started();
  socket().opens();
  socket().onmessage({ data: "over" });
  expect(shell.isOver()).toBe(true);
  shell.again();
  shell.type("ls");
  socket().opens();
  expect(socket().sent).toEqual(["ls"]);
});
