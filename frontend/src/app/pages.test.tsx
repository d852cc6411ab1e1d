// Every page by its URL: heading, title, and no axe violations (colours are checked in a real browser).
import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { axe } from "vitest-axe";

import { renderApp } from "~/test/render";

it.each([
  ["/", "Sessions", "bert-finetune"],
  ["/sessions/new", "New session", "Start session"],
  ["/sessions/new?cpus=3&gpus=9", "New session", "Reservation"],
  ["/sessions/sweepviewer1", "sweep-viewer Queued", "Details"],
  ["/sessions/bertfinetune", "bert-finetune Ready", "GPU 1"],
  ["/sessions/oomsession01", "big-batch Out of memory", "Details"],
  ["/templates", "Templates", "Training on several GPUs of a node"],
  ["/apps", "Apps", "DIGITS"],
  ["/notifications", "Notifications", "Accepted by the mail server"],
  ["/environments", "Environments", "JAX"],
  ["/admin", "Sessions", "bert-finetune"],
  ["/admin/nodes", "Nodes", "New fans"],
  ["/admin/jobs", "Jobs", "sweep"],
  ["/admin/people?person=bob", "People", "25.5 used"],
  ["/admin/announcements", "Announcements", "Maintenance of the cooling"],
  ["/environments?tab=images", "Environments", "PyTorch 24.05-py3"],
  ["/environments?tab=catalogue", "Environments", "Another image"],
  ["/audit", "Audit", "environment.install"],
  ["/nowhere", "Page not found", "Go to your sessions"],
])("%s is named and accessible", { timeout: 20_000 }, async (address, heading, content) => {
  const { container } = renderApp(address);
  expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeVisible();
  expect((await screen.findAllByText(new RegExp(content)))[0]).toBeVisible();
  await waitFor(() => expect(document.title).toMatch(/ · Data Scientist Portal$/));
  const { violations } = await axe(container, { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});

it("has a palette over pages and sessions", async () => {
  const { user, router } = renderApp("/");
  await screen.findByRole("article", { name: "bert-finetune" });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Command palette" }), "bert");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/sessions/bertfinetune"));
});

it("lists its keys, and n leads to a new session", async () => {
  const { user, router } = renderApp("/");
  await user.keyboard("?");
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("n");
  await waitFor(() => expect(router.state.location.pathname).toBe("/sessions/new"));
});

it("opens the command palette for an address that asks for it, once", async () => {
  const { router } = renderApp("/?palette");
  expect(await screen.findByRole("dialog")).toBeVisible();
  expect(router.state.location.search).toBe("");
});
