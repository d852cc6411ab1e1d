import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { answer, client, setCsrfToken } from "./client";

const requests: Request[] = [];
let answers: (() => Response)[] = [];

beforeEach(() => {
  requests.length = 0;
  vi.stubGlobal("fetch", (request: Request) => {
    requests.push(request);
    const next = answers.shift();
    if (next === undefined) throw new TypeError("no more answers");
    return Promise.resolve(next());
  });
});
afterEach(() => setCsrfToken(null));

const refused = (code: string) => () => Response.json({ error: { code, message: "No." } }, { status: 403 });
const stop = () =>
  answer(() => client.DELETE("/sessions/{session_id}", { params: { path: { session_id: "abc" } } }));

it("sends the CSRF token with writes only", async () => {
  setCsrfToken("t1");
  answers = [() => Response.json({ id: "abc" }), () => Response.json({ items: [] })];
  await stop();
  await answer(() => client.GET("/templates"));
  expect(requests[0]?.headers.get("X-CSRF-Token")).toBe("t1");
  expect(requests[0]?.url).toMatch(/\/services\/portal\/api\/sessions\/abc$/);
  expect(requests[1]?.headers.get("X-CSRF-Token")).toBeNull();
});

it("renews an outdated CSRF token and sends once more", async () => {
  setCsrfToken("old");
  answers = [refused("csrf"), () => Response.json({ csrf_token: "new" }), () => Response.json({ id: "abc" })];
  await expect(stop()).resolves.toEqual({ id: "abc" });
  expect(requests.map(({ method }) => method)).toEqual(["DELETE", "GET", "DELETE"]);
  expect(requests[2]?.headers.get("X-CSRF-Token")).toBe("new");
});

it("gives up when the new token is refused, too", async () => {
  answers = [refused("csrf"), () => Response.json({ csrf_token: "new" }), refused("csrf")];
  await expect(stop()).rejects.toMatchObject({ kind: "forbidden" });
  expect(requests).toHaveLength(3);
});

it("does not repeat what was refused for another reason", async () => {
  answers = [refused("forbidden")];
  await expect(stop()).rejects.toMatchObject({ kind: "forbidden", code: "forbidden", message: "No." });
  expect(requests).toHaveLength(1);
});

it("turns a failed connection into words", async () => {
  answers = [];
  await expect(stop()).rejects.toMatchObject({ kind: "offline", message: "The portal cannot be reached." });
});
