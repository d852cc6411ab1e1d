// Everybody's jobs while Slurm is away: shows how old they are, and never "none" where nothing is known.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";
import { World } from "../../../mock/world";

it("says as of when the jobs are while Slurm does not answer, and only then", async () => {
  const { unmount } = renderApp("/admin/jobs", { scene: "down" });
  expect(await screen.findByText(/^As of .*: Slurm has not answered since then\.$/)).toBeVisible();
  unmount();
  renderApp("/admin/jobs");
  await screen.findByRole("region", { name: "Jobs" });
  expect(screen.queryByText(/Slurm has not answered since then/)).toBeNull();
});

it("does not say that there is no job before the queue was ever read", async () => {
  const world = new World();
  world.queueIsKnown = false;
  renderApp("/admin/jobs", { world });
  expect(await screen.findByText(/^The queue is unknown/)).toBeVisible();
  expect(screen.queryByText("No jobs are waiting or running.")).toBeNull();
});

it("leads from a row to the job, or to the session by its own name, and to its owner", async () => {
  renderApp("/admin/jobs");
  const leads = async (name: string) => (await screen.findByRole("link", { name })).getAttribute("href");
  expect(await leads("4713")).toMatch(/\/jobs\/4713$/);
  expect(await leads("carol")).toMatch(/\/admin\/people\?person=carol$/);
  expect(await leads("4711")).toMatch(/\/admin\/sessions\?session=bertfinetune$/);
  expect(screen.getByText("bert-finetune")).toBeVisible();
});

it.each([
  ["/admin/jobs", "all"],
  ["/admin/sessions", "active"],
  ["/admin/people", "people"],
])("keeps a filter in the address of %s that is the word %s", async (page, word) => {
  const { user, router } = renderApp(page);
  await user.type(await screen.findByRole("searchbox"), word);
  expect(router.state.location.search).toBe(`?q=${word}`);
});
