import { describe, expect, it } from "vitest";

import { byField, fromAnswer, fromResponse, fromThrown, Problem } from "./errors";

const body = (change: object = {}) => ({
  error: { code: "policy_refused", message: "Too many GPUs.", hint: "Ask for fewer.", fields: [], request_id: "r1", ...change },
});

describe("fromResponse", () => {
  it("takes the server's own words", () => {
    const problem = fromResponse(422, body({ fields: [{ field: "resources.gpus", message: "At most 4." }] }));
    expect(problem).toMatchObject({
      kind: "refused",
      code: "policy_refused",
      message: "Too many GPUs.",
      hint: "Ask for fewer.",
      requestId: "r1",
      fields: [{ field: "resources.gpus", message: "At most 4." }],
    });
  });

  it.each([
    [401, "expired"],
    [403, "forbidden"],
    [404, "missing"],
    [409, "refused"],
    [413, "refused"],
    [429, "later"],
    [503, "later"],
    [500, "broken"],
  ])("knows what %d means", (status, kind) => expect(fromResponse(status, body()).kind).toBe(kind));

  it.each([[undefined], ["<html>Bad gateway</html>"], [{}], [{ error: "no" }], [{ error: { message: 7, fields: {} } }]])(
    "has words of its own when the body is %j",
    (strange) => {
      const problem = fromResponse(502, strange);
      expect(problem.message).toBe("The portal does not answer.");
      expect(problem.code).toBe("http_502");
      expect(problem.fields).toEqual([]);
    },
  );
});

describe("fromAnswer", () => {
  it("takes a 404 of the proxy for a portal that is away", () => {
    for (const strange of [undefined, null, "<html>404</html>", {}]) expect(fromAnswer(404, strange).kind).toBe("later");
  });
  it("takes the portal's own 404 as it is", () => expect(fromAnswer(404, body()).kind).toBe("missing"));
});

describe("fromThrown", () => {
  it("keeps a problem", () => {
    const problem = fromResponse(404, null);
    expect(fromThrown(problem)).toBe(problem);
  });
  it("knows a network failure from a defect", () => {
    expect(fromThrown(new TypeError("Failed to fetch")).kind).toBe("offline");
    expect(fromThrown(new Error("x")).kind).toBe("broken");
    expect(fromThrown(new Error("x"))).toBeInstanceOf(Problem);
  });
});

it("puts problems beside their fields, several in one line", () => {
  const messages = byField([
    { field: "resources.gpus", message: "A node has 4." },
    { field: "resources.gpus", message: "You may use 8." },
    { field: "name", message: "Too long." },
  ]);
  expect(messages).toEqual({ gpus: "A node has 4. You may use 8.", name: "Too long." });
});
