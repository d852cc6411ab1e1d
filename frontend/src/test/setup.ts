import "@testing-library/jest-dom/vitest";

import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

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

afterEach(() => {
  cleanup();
  FakeEventSource.all = [];
  localStorage.clear();
});
