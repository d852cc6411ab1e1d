import { readFileSync } from "node:fs";

import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { fileReads } from "~/api/files";
import { read } from "~/ui/useAddress";
import { ADDRESS, viewOf } from "./folder";

const SCRIPT = readFileSync("public/early.js", "utf8");
const asked: string[] = [];

/** Visit a page, as a browser does that has no code of the app yet; return the requests until then. */
function visit(path: string): string[] {
  asked.length = 0;
  vi.stubGlobal("fetch", (what: Request | string) => {
    asked.push(typeof what === "string" ? what : what.url);
    return Promise.resolve(Response.json({ entries: [], truncated: false }));
  });
  history.replaceState(null, "", path);
  window.eval(SCRIPT); // oxlint-disable-line no-eval
  return [...asked];
}

const open = () => new QueryClient().infiniteQuery(fileReads.folder(viewOf(read(ADDRESS, new URLSearchParams(location.search)), "")));

afterEach(() => {
  window.dspEarly = undefined;
  history.replaceState(null, "", "/");
});

it.each(["", "?path=~/runs", "?path=/shared/it's%20100%25+of%20%C3%BC%26(b)!"])("asks for the folder %s once, early", async (query) => {
  expect(visit(`/services/portal/files${query}`)).toHaveLength(1);
  await open();
  expect(asked).toHaveLength(1);
  await open();
  expect(asked).toEqual([asked[0], asked[0]]);
});

it.each(["/services/portal/", "/services/portal/files/bin", "/services/portal/files?path=~&sort=size"])("does not ask for %s", (path) => {
  expect(visit(path)).toEqual([]);
});
