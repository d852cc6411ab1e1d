import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { HOSTILE, snapshot } from "../../mock/cluster";
import { World } from "../../mock/world";

const tile = (name: string) => screen.findByRole("button", { name: new RegExp(`^${name} `) });

it("shows every node with its GPUs in words, in groups", async () => {
  renderApp("/cluster");
  expect(await tile("node001")).toHaveAccessibleName("node001 1 free In use, 1 of 4 V100 free, 3 in use");
  expect(await tile("node004")).toHaveAccessibleName(/Drained.*4 out of service, fan 2 is loud/);
  expect(await tile("cpu01")).toHaveAccessibleName(/20 of 64 cores in use/);
  expect(screen.getByRole("heading", { name: "sxm2, debug: 4 nodes, 5 of 16 GPUs free" })).toBeInTheDocument();
});

it("changes in place when the stream says so, and reads all again after a gap", async () => {
  const { requests } = renderApp("/cluster");
  await tile("node003");
  const stream = FakeEventSource.last("/cluster/events?after=mock-1");
  act(() => {
    stream.connect();
    stream.send("mine", { nodes: { node003: [0] } });
    const node = { ...snapshot().nodes[2], state: "mixed", gpus: "a..." };
    stream.send("change", { since: "mock-1", version: "mock-2", as_of: null, queue: snapshot().queue, gone: [], kinds_from: 3, kinds: [], nodes: [node] });
  });
  expect(await tile("node003")).toHaveAccessibleName(/3 of 4 V100 free, 1 in use, all yours/);
  const reads = () => requests.filter(({ url }) => url.endsWith("/cluster")).length;
  const before = reads();
  act(() => stream.send("change", { since: "mock-7", version: "mock-8", queue: snapshot().queue, gone: [], kinds_from: 3, kinds: [], nodes: [] }));
  await waitFor(() => expect(reads()).toBe(before + 1));
});

it("filters by what stands in the address, and writes there what is chosen", async () => {
  const { user, router } = renderApp("/cluster?partition=hopper");
  await tile("gpu01");
  expect(screen.queryByRole("button", { name: /^node001 / })).toBeNull();
  expect(screen.getByText("2 of 7 nodes")).toBeInTheDocument();
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "down");
  expect(router.state.location.search).toBe("?partition=hopper&state=down");
  expect(screen.queryByRole("button", { name: /^gpu01 / })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await tile("node001");
});

it("goes from tile to tile with the arrow keys, with one stop for Tab", async () => {
  const { user } = renderApp("/cluster");
  const first = await tile("node001");
  const stops = screen.getAllByRole("button").filter((button) => button.dataset["index"] !== undefined && button.tabIndex === 0);
  expect(stops).toEqual([first]);
  act(() => first.focus());
  await user.keyboard("{ArrowRight}");
  await waitFor(async () => expect(await tile("node002")).toHaveFocus());
  await user.keyboard("{End}");
  await waitFor(async () => expect(await tile("cpu01")).toHaveFocus());
});

it("opens a node beside the page, its job from there, and closes with Escape", async () => {
  const { user, router } = renderApp("/cluster");
  await user.click(await tile("node001"));
  const panel = await screen.findByRole("complementary", { name: "Node node001" });
  const job = await within(panel).findByRole("button", { name: /bert-finetune/ });
  expect(within(panel).getByText(/GPU 0–1/)).toBeInTheDocument();
  expect(within(panel).getByRole("button", { name: /hidden.*4712.*probably/ })).toBeInTheDocument();
  await user.click(job);
  expect(await screen.findByRole("complementary", { name: "Job 4711" })).toBeInTheDocument();
  expect(router.state.location.search).toBe("?job=4711");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("complementary")).toBeNull();
});

it("says when a node or a job of an old address is gone", async () => {
  renderApp("/cluster?node=nowhere");
  expect(await screen.findByText("This node is no longer in the cluster.")).toBeInTheDocument();
});

it("lists the queue with reasons, places in line, and names as text", async () => {
  const { user, requests } = renderApp("/cluster?view=queue");
  const table = await screen.findByRole("table", { name: "Jobs" });
  expect(within(table).getByText(HOSTILE)).toBeInTheDocument();
  expect(document.querySelector("img[src=x]")).toBeNull();
  expect(within(table).getByText(/^1st of 2 in the queue · expected/)).toBeInTheDocument();
  expect(within(table).getByText(/Waiting for 4 free V100/)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Only mine" }));
  await waitFor(() => expect(requests.at(-1)?.url).toContain("own=true"));
});

it("does not call the queue empty before it was ever read", async () => {
  const world = new World();
  world.queueIsKnown = false;
  renderApp("/cluster?view=queue", { world });
  expect(await screen.findByText(/^The queue is unknown/)).toBeVisible();
  expect(within(screen.getByRole("region", { name: "Queue" })).getByRole("status")).toBeEmptyDOMElement();
});

it("is a table as well", async () => {
  renderApp("/cluster?view=table&state=drained");
  const table = await screen.findByRole("table", { name: "Nodes" });
  expect(within(table).getByRole("row", { name: /node004 Drained 0 \/ 4 V100/ })).toBeInTheDocument();
});

it("says since when it is stale", async () => {
  renderApp("/cluster", { scene: "down" });
  expect(await screen.findByText(/^Stale since .*: Slurm does not answer$/)).toBeInTheDocument();
});

it("says what is wrong when the snapshot cannot be read", async () => {
  renderApp("/cluster", { scene: "failing" });
  expect(await screen.findByText(/Slurm does not answer\./)).toBeInTheDocument();
});
