import { describe, expect, it } from "vitest";

import { copyName, crumbsOf, octalOf, typedPath } from "./folder";
import { cellsOf, rowsOf, viewOfFile } from "./previews";

describe("rowsOf", () => {
  it("reads quoted commas, doubled quotes and line ends inside values", () => {
    expect(rowsOf('a,b\r\n"x, ""y""\nz",2\n', ",")).toEqual([["a", "b"], ['x, "y"\nz', "2"]]);
  });
  it("keeps empty values, also at the end of a row", () => expect(rowsOf("a,,\n,b,", ",")).toEqual([["a", "", ""], ["", "b", ""]]));
  it("reads no further than it is told", () => expect(rowsOf("1\n2\n3\n", ",", 2)).toEqual([["1"], ["2"]]));
});

describe("cellsOf", () => {
  const notebook = (outputs: unknown[]) => JSON.stringify({ cells: [{ cell_type: "code", source: ["a\n", "b"], outputs }] });
  it("joins the lines of a source and shows HTML as words", () => {
    const [cell] = cellsOf(notebook([{ data: { "text/html": "<script>1</script>" } }]), "[HTML]") ?? [];
    expect(cell).toMatchObject({ source: "a\nb", outputs: [{ kind: "text", text: "[HTML]" }] });
  });
  it("takes the colours out of a traceback", () => {
    expect(cellsOf(notebook([{ traceback: ["\u001b[31mKeyError\u001b[0m"] }]), "")?.[0]?.outputs[0]?.text).toBe("KeyError");
  });
  it("refuses what is no notebook", () => {
    expect(cellsOf("{", "")).toBeNull();
    expect(cellsOf('{"cells": [1]}', "")).toBeNull();
    expect(cellsOf("[]", "")).toBeNull();
  });
});

it("chooses the view by name and content", () => {
  expect(viewOfFile("a.ipynb", "")).toBe("notebook");
  expect(viewOfFile("a.tsv", "")).toBe("table");
  expect(viewOfFile("slurm-1.out", "\u001b[1mx")).toBe("log");
  expect(viewOfFile("a.py", "x")).toBe("text");
});

it("reads modes, with special bits", () => {
  expect(octalOf("rwxr-x---")).toBe("750");
  expect(octalOf("rwxrwsr-t")).toBe("775");
  expect(octalOf("rw-rwSr-T")).toBe("664");
});

it("leads from the root, or from home, to a folder", () => {
  expect(crumbsOf("~/a/b").map(({ path }) => path)).toEqual(["~", "~/a", "~/a/b"]);
  expect(crumbsOf("/a").map(({ name }) => name)).toEqual(["/", "a"]);
});

it("takes typed paths from home, without the slash at their end", () => {
  expect(["", "runs/", "~", "/", "/data//"].map(typedPath)).toEqual(["~", "~/runs", "~", "/", "/data"]);
});

it("names a copy before the suffix", () => expect(["a.py", ".bashrc", "README"].map(copyName)).toEqual(["a copy.py", ".bashrc copy", "README copy"]));
