import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";

import { onNews, pageHandlers } from "./news";

it("gives news to a page that was loaded after the stream was opened, and drops it before", () => {
  const queries = new QueryClient();
  const { health } = pageHandlers(queries);
  const taken: unknown[] = [];
  health("early");
  onNews("health", (_queries, news: string) => void taken.push(news));
  health("late");
  expect(taken).toEqual(["late"]);
});
