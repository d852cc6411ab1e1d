import "@testing-library/jest-dom/vitest";

import { cleanup, configure } from "@testing-library/react";
import { afterEach, expect, vi } from "vitest";

import { sources } from "~/live/source";
import { FakeEventSource } from "./FakeEventSource";

// Without the printed document: the message is enough.
configure({ asyncUtilTimeout: 15_000, getElementError: (message) => new Error(message ?? "not found") });

sources.create = (url) => new FakeEventSource(url);

// Browser APIs that jsdom lacks and rendering needs.
vi.stubGlobal(
  "matchMedia",
  (query: string) => ({ matches: false, media: query, addEventListener: () => {}, removeEventListener: () => {} }) as unknown,
);
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
window.scrollTo = () => {};
HTMLCanvasElement.prototype.getContext = () => null;
// jsdom lays nothing out: without a place, a menu's button counts as scrolled out of view, and its menu is hidden.
HTMLButtonElement.prototype.getBoundingClientRect = () => new DOMRect(10, 10, 80, 30);
Object.defineProperties(document.documentElement, { clientWidth: { value: 1280 }, clientHeight: { value: 800 } });
Element.prototype.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};

// Node's Request (from 22 on) rejects jsdom's AbortSignal, and the router passes it one.
const NodeRequest = globalThis.Request;
vi.stubGlobal(
  "Request",
  class extends NodeRequest {
    constructor(input: RequestInfo | URL, init: RequestInit = {}) {
      super(input, { ...init, signal: null });
    }
  },
);

// A warning or an error on the console fails its test.
const complaints: string[] = [];
console.warn = console.error = (...parts: unknown[]) => complaints.push(parts.map(String).join(" "));

afterEach(() => {
  cleanup();
  FakeEventSource.all = [];
  localStorage.clear();
  expect(complaints.splice(0)).toEqual([]);
});
