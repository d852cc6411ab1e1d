import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { options } from "../../mock/site";

it("shows how many GPUs are free, live, and which are mine", async () => {
  renderApp("/");
  await screen.findByRole("article", { name: "bert-finetune" });
  const link = await screen.findByRole("link", { name: /^12 of 24 GPUs free/ });
  expect(link).toHaveTextContent("12 of 24 GPUs free");
  expect(link).toHaveAttribute("href", "/cluster");
  expect(screen.getByRole("img", { name: /12 of 24 GPUs free, .*2 of them yours/ })).toBeInTheDocument();
  const { partitions } = options();
  const gpus = [{ type: "v100", total: 24, free: 7, reserved: 0, down: 0, most_free_on_a_node: 4 }];
  act(() => FakeEventSource.last("/events").send("availability", { as_of: null, partitions, gpus }));
  expect(await screen.findByText("7 of 24")).toBeVisible();
  act(() => FakeEventSource.last("/events").send("availability", { as_of: null, partitions, gpus: [] }));
  expect(await screen.findByRole("link", { name: "Free GPUs unknown" })).toHaveAttribute("href", "/cluster");
});

it("keeps the page and offers to log in when the login has expired meanwhile", async () => {
  const { user, world, went } = renderApp("/sessions/new?gpus=2");
  await screen.findByRole("spinbutton", { name: "GPUs" });
  await screen.findByRole("button", { name: "User: alice" });
  world.scene = "expired";
  await user.click(screen.getByRole("button", { name: "One GPU more" }));
  const dialog = within(await screen.findByRole("dialog", { name: "You are logged out" }));
  expect(dialog.getByRole("button", { name: "Log in" })).toBeInTheDocument();
  expect(screen.getByLabelText("GPUs", { selector: "input" })).toHaveValue(3);
  expect(went).toEqual([]);
});

it("leads to the audit's entries of one person, by address", async () => {
  const { router, user } = renderApp("/audit?actor=bob");
  const table = within(await screen.findByRole("table"));
  await waitFor(() => expect(table.queryByText("carol")).toBeNull());
  expect(table.getAllByText("bob").length).toBeGreaterThan(0);
  await user.clear(screen.getByRole("textbox", { name: "Who" }));
  expect(router.state.location.search).toBe("");
});

it("leads from the phone's bar to every page, and says under More where one is", async () => {
  const { router, user } = renderApp("/");
  await screen.findByRole("article", { name: "bert-finetune" });
  const bar = within(screen.getByRole("navigation", { name: "Bottom bar" }));
  const more = bar.getByRole("button", { name: "More" });
  expect(more).not.toHaveAttribute("data-current");
  await user.click(more);
  // jsdom has no layout, and a menu without a position counts as hidden.
  const item = (name: string) => screen.findByRole("menuitem", { name, hidden: true });
  expect(await item("Environments")).not.toHaveAttribute("aria-current");
  await user.click(await item("Apps"));
  await waitFor(() => expect(router.state.location.pathname).toBe("/apps"));
  expect(more).toHaveAttribute("data-current");
});

it("says of a page which part of the portal it belongs to", async () => {
  renderApp("/sessions/new");
  await screen.findByRole("heading", { name: "New session" });
  const main = within(screen.getByRole("navigation", { name: "Main" }));
  expect(main.getByRole("link", { name: "Sessions" })).toHaveAttribute("aria-current", "true");
  expect(main.getByRole("link", { name: "Jobs" })).not.toHaveAttribute("aria-current");
  const bar = within(screen.getByRole("navigation", { name: "Bottom bar" }));
  expect(bar.getByRole("link", { name: "New" })).toHaveAttribute("aria-current", "page");
  expect(bar.getByRole("link", { name: "Sessions" })).not.toHaveAttribute("aria-current");
});
