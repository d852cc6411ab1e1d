import { expect, it } from "vitest";

import { replay } from "./replay";

const add = (known: readonly string[], news: string) => [...known, news];

it("puts news on top of an answer that was asked for before them", async () => {
  const news = replay<string>();
  news.put("long ago");
  let arrive: (answer: readonly string[]) => void = () => undefined;
  const reading = news.during(() => new Promise<readonly string[]>((done) => (arrive = done)), add);
  news.put("first");
  news.put("second");
  arrive(["answer"]);
  expect(await reading).toEqual(["answer", "first", "second"]);
  news.put("later");
  expect(await news.during(() => Promise.resolve(["answer"] as readonly string[]), add)).toEqual(["answer"]);
});

it("forgets a reading that failed", async () => {
  const news = replay<string>();
  await expect(news.during(() => Promise.reject(new Error("away")), add)).rejects.toThrow("away");
  news.put("news");
  expect(await news.during(() => Promise.resolve([] as readonly string[]), add)).toEqual([]);
});
