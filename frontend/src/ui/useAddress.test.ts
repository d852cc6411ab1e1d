import { expect, it } from "vitest";

import { read, write } from "./useAddress";

const SPEC = { q: "", state: ["all", "running"], sort: "-at" } as const;
const readIn = (text: string) => read(SPEC, new URLSearchParams(text));
const written = (text: string) => new URLSearchParams(write(SPEC, readIn(text))).toString();

it("leaves out what is the default of its own name, not of another", () => {
  expect(written("q=all&state=all&sort=-at")).toBe("q=all");
  expect(written("q=-at&state=running&sort=all")).toBe("q=-at&state=running&sort=all");
});

it("takes the default for a value that a name cannot have", () => {
  expect(readIn("state=sideways")).toEqual({ q: "", state: "all", sort: "-at" });
});

it("understands the filter's former names, and writes the one it has now", () => {
  expect(written("query=gpu")).toBe("q=gpu");
  expect(written("filter=gpu")).toBe("q=gpu");
  expect(readIn("q=&filter=gpu").q).toBe("");
});
