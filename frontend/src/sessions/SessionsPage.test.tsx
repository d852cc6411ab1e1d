import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { seen, session } from "../../mock/sessions";
import { ago } from "../../mock/units";
import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";

const card = (name: string) => screen.findByRole("article", { name });

it("lists what runs and what waits, with what can be done", async () => {
  renderApp("/");
  const running = within(await card("bert-finetune"));
  expect(running.getByText("Ready")).toBeVisible();
  expect(running.getByText("node003")).toBeVisible();
  expect(running.getByText("3 h 12 min left")).toHaveAttribute("title", expect.stringMatching(/\d{4}/));
  expect(running.getByRole("img", { name: /2 × V100, GPU use 88 %, 54 %/ })).toBeInTheDocument();
  expect(running.getByRole("button", { name: "Open" })).toHaveAttribute("href", "/user/alice/session/lab");
  const waiting = within(await card("sweep-viewer"));
  expect(waiting.getByText("3rd of 7 in the queue")).toBeVisible();
  expect(waiting.getByText("Waiting for a free GPU: 4 more V100 are needed.")).toBeVisible();
  expect(waiting.queryByRole("button", { name: "Open" })).toBeNull();
});

it("asks before it stops a running session, naming what is lost", async () => {
  const { user, requests } = renderApp("/");
  await user.click(within(await card("bert-finetune")).getByRole("button", { name: "Stop" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Stop bert-finetune?" }));
  expect(dialog.getByText(/unsaved changes/)).toBeInTheDocument();
  expect(dialog.getByText(/2 × V100 will be free/)).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Stop session" }));
  expect(await within(await card("bert-finetune")).findByText("Stopping")).toBeVisible();
  const deletes = requests.filter(({ method }) => method === "DELETE");
  expect(deletes.map(({ url }) => new URL(url).pathname)).toEqual(["/services/portal/api/sessions/bertfinetune"]);
  expect(deletes[0]?.headers.get("X-CSRF-Token")).toBe("mock-csrf");
});

it("cancels a waiting session at once", async () => {
  const { user } = renderApp("/");
  await user.click(within(await card("sweep-viewer")).getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(await within(await card("sweep-viewer")).findByText("Stopping")).toBeVisible();
});

it("changes in place with the live stream, without asking again", async () => {
  const { requests, world } = renderApp("/");
  await card("sweep-viewer");
  await screen.findByRole("link", { name: "big-batch" });
  const asked = requests.length;
  const queued = world.sessions.find(({ name }) => name === "sweep-viewer");
  const stream = FakeEventSource.last("/events");
  act(() => stream.send("session", { ...queued, state: "starting", node: "node002", queue: null }));
  expect(await within(await card("sweep-viewer")).findByText("Starting")).toBeVisible();
  expect(within(await card("sweep-viewer")).getByText("node002")).toBeVisible();
  expect(requests.length).toBe(asked);
});

it("moves an ended session to the ended ones", async () => {
  const { world } = renderApp("/");
  await card("bert-finetune");
  await screen.findByRole("link", { name: "big-batch" });
  const running = world.sessions.find(({ name }) => name === "bert-finetune");
  const end = { code: "node_failed", text: "Its node failed.", advice: null, exit_code: null };
  act(() =>
    FakeEventSource.last("/events").send("session", { ...running, state: "ended", ended_at: new Date().toISOString(), end }),
  );
  await waitFor(() => expect(screen.queryByRole("article", { name: "bert-finetune" })).toBeNull());
  const row = screen.getByRole("link", { name: "bert-finetune" }).closest("li") as HTMLElement;
  expect(within(row).getByText("The node failed")).toBeVisible();
});

it("keeps what ended badly on top until it was seen, however many others have ended since", async () => {
  const { user, world } = renderApp("/");
  const end = { code: "app_failed", text: "The app ended with an error.", advice: null, exit_code: 1, ...seen };
  const ended = session({ state: "ended", ended_at: ago(60), end });
  const failed = { ...ended, id: "failed", name: "week-long", created_at: ago(9e5), end: { ...end, seen: false } };
  const later = Array.from({ length: 12 }, (_, n) => ({ ...ended, id: `later${n}`, created_at: ago(n + 1) }));
  world.sessions.push(...later, failed);
  const top = within(await screen.findByRole("region", { name: "Ended badly" }));
  expect(top.getByRole("link", { name: "week-long" })).toBeVisible();
  await user.click(top.getByRole("button", { name: "Dismiss: week-long" }));
  await waitFor(() => expect(top.queryByRole("link", { name: "week-long" })).toBeNull());
  await user.click(top.getByRole("button", { name: "Undo" }));
  expect(await top.findByRole("link", { name: "week-long" })).toBeVisible();
});

it("offers more memory after running out of it", async () => {
  renderApp("/");
  expect(await screen.findByRole("button", { name: "Start again with 64 GB" })).toBeEnabled();
  const edit = screen.getByRole("button", { name: "Edit and start: big-batch" });
  const query = new URL(edit.getAttribute("href") ?? "", "http://x").searchParams;
  expect(Object.fromEntries(query)).toMatchObject({ app: "jupyterlab", name: "big-batch", gpus: "1", memory_mib: "65536" });
  expect(query.has("cpus")).toBe(false);
});

it("starts an ended session again, as it was", async () => {
  const { user, requests, router } = renderApp("/");
  const row = (await screen.findByRole("link", { name: "big-batch" })).closest("li") as HTMLElement;
  await user.click(within(row).getByRole("button", { name: "Start again with 64 GB" }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/new0/));
  const post = requests.find(({ method, url }) => method === "POST" && url.endsWith("/sessions"));
  expect(await post?.clone().json()).toMatchObject({
    app: "jupyterlab",
    name: "big-batch",
    resources: { gpus: 1, memory_mib: 65_536 },
  });
});

it("offers another one like a session that runs", async () => {
  const { user, router } = renderApp("/");
  await card("bert-finetune");
  await user.click(screen.getByRole("button", { name: "More for bert-finetune" }));
  // jsdom has no layout, and a menu without a position counts as hidden.
  await user.click(await screen.findByRole("menuitem", { name: "Edit and start", hidden: true }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/sessions/new"));
  expect(router.state.location.search).toContain("name=bert-finetune");
});

it("opens TensorBoard on a folder inside the session, or as one of its own", async () => {
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const { user, router } = renderApp("/");
  await user.click(within(await card("bert-finetune")).getByRole("button", { name: "TensorBoard" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Open TensorBoard" }));
  const folder = dialog.getByRole("combobox", { name: "Folder with event files" });
  await user.clear(folder);
  await user.type(folder, "~/ru");
  await user.click(await dialog.findByRole("option", { name: "runs", hidden: true }));
  expect(folder).toHaveValue("~/runs/");
  await user.click(dialog.getByRole("button", { name: "Open in this session" }));
  expect(open).toHaveBeenCalledWith("/user/alice/session/lab?tensorboard=%7E%2Fruns", "_blank", "noopener");
  await user.click(within(await card("bert-finetune")).getByRole("button", { name: "TensorBoard" }));
  await user.click(await screen.findByRole("button", { name: "Open in a new session" }));
  await waitFor(() => expect(router.state.location.search).toBe("?app=tensorboard&option.folder=%7E%2Fruns"));
});

it("filters by what is shown and keeps the filter in the address", async () => {
  const { user, router } = renderApp("/");
  await card("sweep-viewer");
  await user.keyboard("/");
  expect(screen.getByRole("searchbox", { name: "Filter sessions" })).toHaveFocus();
  await user.keyboard("queued 4711");
  expect(await screen.findByText("No running session matches “queued 4711”.")).toBeVisible();
  await user.clear(screen.getByRole("searchbox", { name: "Filter sessions" }));
  await user.keyboard("queued");
  expect(await card("sweep-viewer")).toBeVisible();
  expect(screen.queryByRole("article", { name: "bert-finetune" })).toBeNull();
  expect(router.state.location.search).toBe("?q=queued");
});

it("shows three ways to begin when nothing runs", async () => {
  renderApp("/", { scene: "empty" });
  expect(await screen.findByRole("heading", { name: "No session is running" })).toBeVisible();
  expect(screen.getByRole("link", { name: /Notebook/ })).toHaveAttribute("href", "/sessions/new?app=jupyterlab");
  expect(screen.getByRole("link", { name: /From a template/ })).toHaveAttribute("href", "/templates");
  await waitFor(() =>
    expect(screen.getByRole("link", { name: /Terminal/ })).toHaveAttribute("href", "/sessions/new?app=terminal&gpus=0"),
  );
});

it("says what failed and tries again", async () => {
  const { user, world } = renderApp("/", { scene: "failing" });
  const alerts = await screen.findAllByRole("alert");
  expect(alerts[0]).toHaveTextContent("Slurm does not answer.");
  expect(alerts[0]).toHaveTextContent("Request mock-0001");
  world.scene = "full";
  await user.click(within(alerts[0] as HTMLElement).getByRole("button", { name: "Try again" }));
  expect(await card("bert-finetune")).toBeVisible();
});

it("says since when Slurm has not answered", async () => {
  renderApp("/", { scene: "down" });
  expect(await screen.findByText(/Slurm has not answered since (yesterday )?\d\d:\d\d\./)).toBeVisible();
});

it("reads everything again after the stream was lost", async () => {
  const { requests } = renderApp("/");
  await card("bert-finetune");
  const stream = FakeEventSource.last("/events");
  act(() => stream.connect());
  act(() => stream.fail());
  await waitFor(() => expect(FakeEventSource.last("/events")).not.toBe(stream), { timeout: 3000 });
  requests.length = 0;
  act(() => FakeEventSource.last("/events").connect());
  await waitFor(() => expect(requests.map(({ url }) => url).join()).toContain("state=active"));
});

it("goes to the login page when nobody is logged in", async () => {
  const { went } = renderApp("/", { scene: "expired" });
  await waitFor(() => expect(went).toContain("/services/portal/login?next=%2F"));
});
