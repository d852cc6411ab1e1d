import { expect, it } from "vitest";

import { newsDesk } from "./newsDesk";

const add = (known: readonly string[], news: string) => [...known, news];

it("puts news on top of an answer that was asked for before them", async () => {
  const desk = newsDesk<string>();
  desk.put("long ago");
  let arrive: (answer: readonly string[]) => void = () => undefined;
  const reading = desk.during(() => new Promise<readonly string[]>((done) => (arrive = done)), add);
  desk.put("first");
  desk.put("second");
  arrive(["answer"]);
  expect(await reading).toEqual(["answer", "first", "second"]);
  desk.put("later");
  expect(await desk.during(() => Promise.resolve(["answer"] as readonly string[]), add)).toEqual(["answer"]);
});

it("forgets a reading that failed", async () => {
  const desk = newsDesk<string>();
  await expect(desk.during(() => Promise.reject(new Error("away")), add)).rejects.toThrow("away");
  desk.put("news");
  expect(await desk.during(() => Promise.resolve([] as readonly string[]), add)).toEqual([]);
});
