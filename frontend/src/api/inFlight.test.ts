import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";

import { putAvailability } from "./cache";
import { keys } from "./keys";
import { change, readAgain } from "./inFlight";
import type { Availability, Options } from "./types";

const key = ["letters"];
const add = (letter: string) => (known: string) => known + letter;

/** A request that waits until the test answers it. */
function slow<T>(queries: QueryClient, queryKey: readonly unknown[]) {
  const waiting: { resolve: (answer: T) => void; reject: (error: Error) => void }[] = [];
  const queryFn = () => new Promise<T>((resolve, reject) => waiting.push({ resolve, reject }));
  return {
    begin: () => queries.query({ queryKey, queryFn, retry: false }),
    again: () => queries.refetchQueries({ queryKey, type: "all" }),
    answer: (answer: T) => waiting.at(-1)?.resolve(answer),
    refuse: () => waiting.at(-1)?.reject(new Error("away")),
  };
}

it("changes what is known at once", () => {
  const queries = new QueryClient();
  queries.setQueryData(key, "a");
  change(queries, key, add("b"));
  expect(queries.getQueryData(key)).toBe("ab");
});

it("changes nothing that is neither known nor asked for", () => {
  const queries = new QueryClient();
  change(queries, key, add("b"));
  expect(queries.getQueryData(key)).toBeUndefined();
});

it("changes an answer that was asked for before the events, in their order and only once", async () => {
  const queries = new QueryClient();
  const request = slow<string>(queries, key);
  const first = request.begin();
  change(queries, key, add("b"));
  change(queries, key, add("c"));
  request.answer("a");
  await first;
  expect(queries.getQueryData(key)).toBe("abc");

  const second = request.again();
  change(queries, key, add("d"));
  expect(queries.getQueryData(key), "what is shown does not wait").toBe("abcd");
  request.answer("x");
  await second;
  expect(queries.getQueryData(key)).toBe("xd");
});

it("forgets the events of a request that fails", async () => {
  const queries = new QueryClient();
  const request = slow<string>(queries, key);
  const failing = request.begin();
  change(queries, key, add("b"));
  request.refuse();
  await expect(failing).rejects.toThrow("away");
  const next = request.begin();
  request.answer("a");
  await next;
  expect(queries.getQueryData(key)).toBe("a");
});

it("asks again after a first answer that may be older than the event", async () => {
  const queries = new QueryClient();
  const request = slow<string>(queries, key);
  const first = request.begin();
  readAgain(queries, ["letters"]);
  request.answer("a");
  await first;
  expect(queries.getQueryState(key)?.isInvalidated, "so that whoever shows it refetches").toBe(true);
});

it("keeps what is free when the options come late", async () => {
  const queries = new QueryClient();
  const request = slow<Options>(queries, keys.options);
  const options = request.begin();
  putAvailability(queries, { as_of: "2026-11-29T10:00:30Z", partitions: [], gpus: [{ free: 2 }] } as unknown as Availability);
  request.answer({ as_of: "2026-11-29T10:00:00Z", partitions: [], gpus: [{ free: 16 }] } as unknown as Options);
  await options;
  expect(queries.getQueryData<Options>(keys.options)?.gpus).toEqual([{ free: 2 }]);
});
