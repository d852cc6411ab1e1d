import { afterEach, expect, it, vi } from "vitest";

import { setCsrfToken } from "./client";
import { logOut } from "./logOut";

afterEach(() => setCsrfToken(null));

async function ledTo(answers: (request: Request) => Response): Promise<{ where: string[]; requests: Request[] }> {
  const requests: Request[] = [];
  vi.stubGlobal("fetch", (request: Request) => {
    requests.push(request);
    return Promise.resolve(answers(request));
  });
  const where: string[] = [];
  await logOut((address) => where.push(address));
  return { where, requests };
}

it("logs out by a write with the CSRF token, and goes where the portal says", async () => {
  setCsrfToken("t1");
  const { where, requests } = await ledTo(() => Response.json({ location: "/hub/logout?ticket=1" }));
  expect(where).toEqual(["/hub/logout?ticket=1"]);
  expect(requests.map(({ method }) => method)).toEqual(["POST"]);
  expect(requests[0]?.headers.get("X-CSRF-Token")).toBe("t1");
});

it("leads to the Hub's question where the portal no longer knows us", async () => {
  const refused = { error: { code: "not_authenticated", message: "You are not logged in." } };
  const { where } = await ledTo(() => Response.json(refused, { status: 401 }));
  expect(where).toEqual(["/services/portal/logout"]);
});
