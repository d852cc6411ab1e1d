// Draining names those affected beforehand; actions on anybody's jobs show each result.
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import * as operate from "../../../mock/operate";

it("names who runs on a node before it is drained", async () => {
  const { user, requests } = renderApp("/admin/nodes");
  await user.click(await screen.findByRole("button", { name: "Drain node002" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Drain node002?" }));
  expect(dialog.getByRole("listitem")).toHaveTextContent("bob: bert-finetune (4711) on node002");
  expect(dialog.getByRole("link", { name: "bert-finetune" })).toHaveAttribute("href", expect.stringMatching(/\/admin\/sessions\?session=bertfinetune$/));
  await user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "New fans");
  await user.click(dialog.getByRole("button", { name: "Drain" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = requests.find(({ url }) => url.endsWith("/admin/nodes/drain"));
  expect(await sent?.json()).toEqual({ nodes: ["node002"], reason: "New fans", message: "", deadline: null });
});

it("names users whose jobs start there while the dialog is open", async () => {
  const { user } = renderApp("/admin/nodes");
  await user.click(await screen.findByRole("button", { name: "Drain node001" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Drain node001?" }));
  expect(dialog.getByText(/^Nobody has jobs there now/)).toBeVisible();
  const busy = operate.nodes().map((node) => ({ ...node, jobs: operate.nodes().flatMap(({ jobs }) => jobs) }));
  vi.spyOn(operate, "nodes").mockReturnValue(busy);
  act(() => FakeEventSource.last("/events?also=nodes").send("nodes", {}));
  expect(await dialog.findByRole("listitem")).toHaveTextContent("bob: bert-finetune (4711) on node001");
});

it("calls a node free or drained only when nothing of it is allocated any more, either", async () => {
  const ending = operate.nodes().map((node, at) => ({ ...node, available: true, draining: at === 0, jobs: [], cpus_allocated: 8 }));
  vi.spyOn(operate, "nodes").mockReturnValue(ending);
  renderApp("/admin/nodes");
  expect(await screen.findByText("Draining")).toBeVisible();
  expect(screen.queryByText("Drained")).toBeNull();
  expect(screen.queryByText("Free")).toBeNull();
});

it("says since when reservations are not known, and asks for none, while Slurm does not answer", async () => {
  const { requests } = renderApp("/admin/nodes", { scene: "down" });
  expect(await screen.findByText(/^Slurm has not answered since .*Reservations are read again/)).toBeVisible();
  expect(screen.queryByText("No reservations.")).toBeNull();
  expect(requests.filter(({ url }) => url.endsWith("/admin/reservations"))).toHaveLength(0);
});

it("reserves the whole cluster only if that is switched on", async () => {
  const { user, requests } = renderApp("/admin/nodes");
  await user.click(await screen.findByRole("button", { name: "Reserve…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Reserve nodes" }));
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "class");
  await user.type(dialog.getByRole("textbox", { name: /^Users/ }), "carol");
  await user.click(dialog.getByRole("switch", { name: "Reserve the whole cluster" }));
  expect(dialog.queryByRole("textbox", { name: /^Nodes/ })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Reserve" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = requests.find(({ method, url }) => method === "POST" && url.endsWith("/admin/reservations"));
  expect(await sent?.json()).toMatchObject({ name: "class", nodes: [], all_nodes: true, gpus: null });
});

it("changes a reservation and sends only what differs", async () => {
  const { user, requests } = renderApp("/admin/nodes");
  await user.click(await screen.findByRole("button", { name: "Change class" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change the reservation class" }));
  expect(dialog.getByLabelText(/^From/)).toBeDisabled();
  expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await user.type(dialog.getByRole("textbox", { name: /^Users/ }), ", bob");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = requests.find(({ method }) => method === "PATCH");
  expect(await sent?.json()).toEqual({ users: ["carol", "bob"] });
});

it("tells the result of each job when some were not done", async () => {
  const { user } = renderApp("/admin/jobs");
  await user.click(await screen.findByRole("checkbox", { name: "Select all" }));
  await user.click(screen.getByRole("button", { name: "Hold" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Hold 2 jobs?" }));
  expect(dialog.getByText("This affects bob, carol:")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Hold" }));
  expect(await dialog.findByText("4713: It has ended.")).toBeVisible();
});

it("says what is wrong with a node and what became of it, hostile reasons as text", async () => {
  const { container, user } = renderApp("/admin/nodes");
  await user.click(await screen.findByRole("button", { name: "Health of node003" }));
  const panel = within(await screen.findByRole("complementary"));
  expect(await panel.findByText(/It has 3 GPUs, but slurm.conf declares 4/)).toBeVisible();
  expect(panel.getByText("4 configured, 3 found")).toBeVisible();
  expect(panel.getByText("<b>New</b> fans")).toBeVisible();
  expect(panel.getByText("by admin")).toBeVisible();
  expect(container.querySelector("b")).toBeNull();
});

it("keeps its filter in the address as q, and understands links that say filter", async () => {
  const { user, router } = renderApp("/admin/nodes?filter=node00");
  await user.type(await screen.findByDisplayValue("node00"), "2");
  await waitFor(() => expect(router.state.location.search).toBe("?q=node002"));
});
