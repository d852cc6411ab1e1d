// The linter keeps the folders in layers (lint/layers.js). Inside a folder, imports may not form a cycle.
import { posix } from "node:path";

import { expect, it } from "vitest";

const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}"], { query: "?raw", import: "default", eager: true });
const files = new Map(Object.entries(sources).map(([path, text]) => [posix.join("src/app", path), text]));

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(~\/|\.\.?\/)([^"]+)"/g)].flatMap(([, root = "", rest = ""]) => {
    const target = root === "~/" ? posix.join("src", rest) : posix.join(posix.dirname(file), root, rest);
    return [".ts", ".tsx"].map((ending) => target + ending).filter((name) => files.has(name));
  });
}

/** What is left of the imports after repeatedly removing files that import none of the rest, or that none of the rest imports. */
function cycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Set(imports.keys());
  const inside = (file: string) => imports.get(file)?.some((other) => left.has(other));
  for (let before = Infinity; left.size < before; ) {
    before = left.size;
    for (const file of left) if (!inside(file)) left.delete(file);
    const imported = new Set([...left].flatMap((file) => imports.get(file) ?? []));
    for (const file of left) if (!imported.has(file)) left.delete(file);
  }
  return [...left].sort();
}

it("finds the files of a cycle, and not those around it", () => {
  expect(cycles(new Map([["above", ["a"]], ["a", ["b"]], ["b", ["a", "below"]], ["below", []]]))).toEqual(["a", "b"]);
});

it("has no import cycle", () => {
  const imports = new Map([...files].map(([file, text]) => [file, importsOf(file, text)]));
  expect(imports.get("src/app/App.tsx")).toContain("src/paths.ts");
  expect(cycles(imports)).toEqual([]);
});
