import { expect, it } from "vitest";

import { row } from "../../mock/jobs";
import { mergeJobs } from "./jobCache";

const page = (...ids: string[]) => ({ items: ids.map((id) => row({ id })), next: null, as_of: null });
const ids = (pages: ReturnType<typeof mergeJobs>) => pages.map(({ items }) => items.map(({ id }) => id));

it("changes a row where it stands", () => {
  const [first] = mergeJobs([page("2", "1")], [row({ id: "1", node_list: "node009" })], "active", true);
  expect(first?.items.map(({ node_list }) => node_list)).toEqual(["node001", "node009"]);
});

it("puts new jobs first, on the first page alone", () => {
  expect(ids(mergeJobs([page("2"), page("1")], [row({ id: "3" })], "active", true))).toEqual([["3", "2"], ["1"]]);
});

it("moves an ended job from the active to the ended ones", () => {
  const news = [row({ id: "2", state: "COMPLETED" })];
  expect(ids(mergeJobs([page("2", "1")], news, "active", true))).toEqual([["1"]]);
  expect(ids(mergeJobs([{ ...page(), items: [row({ id: "0", state: "FAILED" })] }], news, "ended", true))).toEqual([["2", "0"]]);
  expect(ids(mergeJobs([page("2", "1")], news, "all", true))).toEqual([["2", "1"]]);
});

it("takes nothing new into a search", () => {
  expect(ids(mergeJobs([page("1")], [row({ id: "2" })], "active", false))).toEqual([["1"]]);
});
