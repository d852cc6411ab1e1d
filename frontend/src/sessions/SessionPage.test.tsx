import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { labAddress } from "~/api/labAddress";
import type { SessionAsked } from "~/api/types";
import { leave } from "~/lib/leave";
import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { session } from "../../mock/sessions";
import { resources } from "../../mock/site";
import { ago } from "../../mock/units";

const QUEUED = "/sessions/sweepviewer1";
const event = (seq: number, state: string, message: string) => ({ seq, at: ago(0), stage: state, state, message, progress: 50 });

it("shows why a session waits, in words and in Slurm's", async () => {
  renderApp(QUEUED);
  expect(await screen.findByText("Waiting for a free GPU: 4 more V100 are needed.")).toBeVisible();
  expect(screen.getByText("Slurm: PENDING (Resources)")).toBeVisible();
  expect(screen.getByText(/3rd of 7 in the queue · expected (tomorrow )?\d\d:\d\d/)).toBeVisible();
  expect(screen.getByText("You can close this tab; the session will start anyway.")).toBeVisible();
});

it("follows the session's own stream and closes it at the end", async () => {
  renderApp(QUEUED);
  await screen.findByText("Progress");
  const stream = FakeEventSource.last("sweepviewer1/events");
  act(() => stream.connect());
  act(() => stream.send("progress", event(1, "submitted", "Asked for 4 × V100.")));
  expect(await screen.findByText("Asked for 4 × V100.")).toBeVisible();
  act(() => stream.send("end", {}));
  expect(stream.closed).toBe(true);
});

it("opens by itself only what was asked to open", async () => {
  const to = vi.spyOn(leave, "to").mockImplementation(() => {});
  const { user } = renderApp(QUEUED);
  const choice = await screen.findByRole("switch", { name: /Open JupyterLab here/ });
  expect(choice).not.toBeChecked();
  await user.click(choice);
  const ready = session({ id: "sweepviewer1", name: "sweep-viewer", state: "ready", url: "/user/alice/sweep/lab" });
  act(() => FakeEventSource.last("api/events").send("session", ready));
  await waitFor(() => expect(to).toHaveBeenCalledWith("/user/alice/sweep/lab"));
  expect(to).toHaveBeenCalledOnce();
});

it("keeps the choice to open in the tab's history, which a reload does not lose", async () => {
  const { user, router } = renderApp(QUEUED);
  const choice = await screen.findByRole("switch", { name: /Open JupyterLab here/ });
  await user.click(choice);
  expect(choice).toBeChecked();
  expect(router.state.location.state).toEqual({ justStarted: true });
  await user.click(choice);
  expect(choice).not.toBeChecked();
  expect(router.state.location.state).toEqual({ justStarted: false });
});

it("stays where it is when a session becomes ready unasked", async () => {
  const to = vi.spyOn(leave, "to").mockImplementation(() => {});
  renderApp(QUEUED);
  await screen.findByText("Progress");
  act(() => FakeEventSource.last("api/events").send("session", session({ id: "sweepviewer1", state: "ready" })));
  expect(await screen.findByRole("button", { name: "Open" })).toBeVisible();
  expect(to).not.toHaveBeenCalled();
});

it("opens the chosen notebook of the gallery when the session is ready", async () => {
  const to = vi.spyOn(leave, "to").mockImplementation(() => {});
  const { user, requests } = renderApp(`${QUEUED}?template=sklearn-digits`);
  await user.click(await screen.findByRole("switch", { name: /Open JupyterLab here/ }));
  act(() => FakeEventSource.last("api/events").send("session", session({ id: "sweepviewer1", state: "ready" })));
  await waitFor(() => expect(to).toHaveBeenCalledWith("/user/alice/session/lab/tree/templates"));
  const open = requests.find(({ url }) => url.endsWith("/templates/sklearn-digits/open"));
  expect(await open?.json()).toEqual({ session: "sweepviewer1", version: "mine" });
});

it("opens the chosen file when the session is ready, and the app alone for one outside the home", async () => {
  const to = vi.spyOn(leave, "to").mockImplementation(() => {});
  const { user } = renderApp(`${QUEUED}?open=~/work/a%20%23b.ipynb`);
  await user.click(await screen.findByRole("switch", { name: /Open JupyterLab here/ }));
  act(() => FakeEventSource.last("api/events").send("session", session({ id: "sweepviewer1", state: "ready" })));
  await waitFor(() => expect(to).toHaveBeenCalledWith("/user/alice/session/lab/tree/work/a%20%23b.ipynb"));
  expect(labAddress("/lab", "/data/b.ipynb")).toBeNull();
});

it("extends a session by a choice, and says why the others are closed", async () => {
  const { user, requests } = renderApp("/sessions/bertfinetune?extend=1");
  const dialog = within(await screen.findByRole("dialog", { name: "Time limit of bert-finetune" }));
  expect(await dialog.findByRole("button", { name: "+ 4 h" })).toBeDisabled();
  expect(dialog.getByText("You may add 2 h to one session in total; 1 h of that is left.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "+ 1 h" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  const put = requests.find(({ method }) => method === "PUT");
  expect(put?.url).toMatch(/sessions\/bertfinetune\/time-limit$/);
});

it("shows the time first, and folds the stages of the start away once it is ready", async () => {
  const { user } = renderApp("/sessions/bertfinetune");
  const time = within(await screen.findByRole("region", { name: "Time" }));
  expect(time.getByText(/^\d+ h( \d+ min)? left$/)).toBeVisible();
  expect(time.getByText(/^Started/)).toBeVisible();
  expect(time.getByText(/^Ends/)).toBeVisible();
  expect(screen.queryByText("Submitted", { selector: "strong" })).toBeNull();
  await user.click(screen.getByRole("button", { name: /^Progress/ }));
  expect(screen.getByText("Submitted", { selector: "strong" })).toBeVisible();
});

it("says in red that a process was killed for memory, with the form for more", async () => {
  const { router } = renderApp("/sessions/bertfinetune");
  await screen.findByText("Progress");
  expect(screen.queryByText("Out of memory")).not.toBeInTheDocument();
  const usage = { at: ago(0), cpu_percent: 1, memory_mib: 900, gpus: [], memory_kills: 1, memory_killed_at: ago(0) };
  const full = session({ id: "bertfinetune", state: "ready", usage, resources: resources({ memory_mib: 1024 }) });
  act(() => FakeEventSource.last("api/events").send("session", full));
  const note = within(await screen.findByRole("region", { name: /Out of memory/ }));
  expect(note.getByRole("alert")).toHaveTextContent("A process of this session was killed");
  const again = note.getByRole("button", { name: "Start again with 2 GB" });
  expect(again).toHaveAttribute("href", expect.stringContaining("memory_mib=2048"));
  act(() => void router.navigate("/sessions/bertfinetune?again=1"));
  await waitFor(() => expect(router.state.location.search).toContain("memory_mib=2048"));
});

it("says how and why a session ended, and what to do", async () => {
  renderApp("/sessions/oomsession01");
  const end = within(await screen.findByRole("region", { name: /Out of memory/ }));
  expect(end.getByText("It ran out of memory.")).toBeVisible();
  expect(end.getByText("Start it again with more memory, or load less at once.")).toBeVisible();
  expect(end.getByRole("button", { name: "Start again with 64 GB" })).toBeVisible();
});

it("starts again, as it was, once it knows what it must, however early it is asked to", async () => {
  let tell = () => {};
  const reported = new Promise<void>((resolve) => (tell = resolve));
  const { user, requests, router } = renderApp("/sessions/oomsession01", {
    before: ({ url }) => (url.endsWith("/options") ? reported : undefined),
  });
  const posts = () => requests.filter(({ method, url }) => method === "POST" && url.endsWith("/sessions"));
  const button = await screen.findByRole("button", { name: "Start again with 64 GB" });
  await user.click(button);
  expect(button).toBeDisabled();
  await user.click(button);
  expect(posts()).toHaveLength(0);
  act(tell);
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/new0/));
  expect(posts()).toHaveLength(1);
  const asked = (await posts()[0]?.json()) as SessionAsked;
  expect(asked).toMatchObject({ app: "jupyterlab", name: "big-batch", resources: { gpus: 1, memory_mib: 65_536 } });
  expect(asked.resources).not.toHaveProperty("cpus");
});

it("starts again from the template and the preset that it was started from", async () => {
  const { user, requests } = renderApp("/sessions/bertfinetune");
  await screen.findByText("Progress");
  const next = { kind: "same" as const };
  const end = { code: "timeout", text: "It reached its time limit.", advice: null, exit_code: null, seen: true, next };
  const ended = session({ id: "bertfinetune", state: "ended", ended_at: ago(0), end, template: "pytorch/digits", preset: "Course" });
  act(() => FakeEventSource.last("api/events").send("session", ended));
  await user.click(await screen.findByRole("button", { name: "Start again" }));
  const asked = () => requests.filter(({ method, url }) => method === "POST" && url.endsWith("/sessions"));
  await waitFor(() => expect(asked()).toHaveLength(1));
  expect(await asked()[0]?.json()).toMatchObject({ template: "pytorch/digits", preset: "Course" });
});

it("leads to the form, filled, when it cannot know what it must to start again", async () => {
  const { user, requests, router } = renderApp("/sessions/oomsession01", {
    before: ({ url }) => (url.endsWith("/options") ? Promise.reject(new TypeError("Failed to fetch")) : undefined),
  });
  await user.click(await screen.findByRole("button", { name: "Start again with 64 GB" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/sessions/new"));
  expect(router.state.location.search).toMatch(/name=big-batch.*memory_mib=65536/);
  expect(requests.filter(({ method }) => method === "POST")).toHaveLength(0);
});

it("keeps the next session off the node that failed, by the button and by the form", async () => {
  const { user, requests, router } = renderApp("/sessions/bertfinetune");
  await screen.findByText("Progress");
  const next = { kind: "other_node" as const, avoid: "node003" };
  const end = { code: "node_failed", text: "Its node failed.", advice: null, exit_code: null, seen: true, next };
  const failed = session({ id: "bertfinetune", state: "ended", ended_at: ago(0), end });
  act(() => FakeEventSource.last("api/events").send("session", failed));
  await user.click(await screen.findByRole("button", { name: "Start again on another node" }));
  const asked = () => requests.filter(({ method, url }) => method === "POST" && url.endsWith("/sessions"));
  await waitFor(() => expect(asked()).toHaveLength(1));
  expect(await asked()[0]?.json()).toMatchObject({ avoid: "node003" });

  act(() => void router.navigate("/sessions/bertfinetune?again=1"));
  await waitFor(() => expect(router.state.location.search).toContain("avoid=node003"));
  expect(await screen.findByText("This session will not run on node003, where the last one failed.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Allow this node" }));
  await waitFor(() => expect(router.state.location.search).not.toContain("avoid"));
});

it("opens the log where the first thing to do is to read it", async () => {
  const { user } = renderApp("/sessions/bertfinetune");
  await screen.findByText("Progress");
  const end = { code: "start_timeout", text: "It did not start in time.", advice: null, exit_code: null, seen: true, next: { kind: "log" as const } };
  act(() => FakeEventSource.last("api/events").send("session", session({ id: "bertfinetune", state: "ended", ended_at: ago(0), end })));
  expect(await screen.findByRole("button", { name: "Show log" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Read the log" }));
  expect(await screen.findByRole("button", { name: "Hide log" })).toHaveFocus();
});

it("reads the log when asked, and reads on", async () => {
  const { user, requests } = renderApp("/sessions/bertfinetune");
  await user.click(await screen.findByRole("button", { name: "Show log" }));
  expect(await screen.findByText(/Jupyter Server is ready/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Load more" }));
  await waitFor(() => expect(requests.filter(({ url }) => url.includes("/log"))).toHaveLength(2));
  expect(requests.at(-1)?.url).toMatch(/offset=[1-9]\d+/);
});

it("says when there is no such session", async () => {
  renderApp("/sessions/gone");
  expect(await screen.findByRole("heading", { name: "Session not found" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Go to your sessions" })).toHaveAttribute("href", "/");
});

it("says that a session is idle and when it will be ended, and snoozes that", async () => {
  const { user, requests } = renderApp("/sessions/bertfinetune");
  await screen.findByRole("heading", { name: /bert-finetune/ });
  const idle = { since: ago(7400), ends_at: ago(-1560), snoozes_left: 2, snooze_minutes: 120 };
  const send = (now: typeof idle | null) =>
    act(() => FakeEventSource.last("api/events").send("session", session({ id: "bertfinetune", state: "ready", idle: now })));
  send(idle);
  expect(await screen.findByRole("heading", { name: /Idle: it will be ended at/ })).toBeVisible();
  expect(screen.getByText("2 snoozes left.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Snooze for 2 h" }));
  await waitFor(() => expect(requests.some(({ url }) => url.endsWith("/sessions/bertfinetune/snooze"))).toBe(true));
  send(null);
  await waitFor(() => expect(screen.queryByRole("heading", { name: /Idle: it will/ })).toBeNull());
});

it("offers the owner's session to editors on their own machine", async () => {
  const { user } = renderApp(QUEUED);
  await screen.findByText("Progress");
  const ready = session({ id: "sweepviewer1", name: "sweep-viewer", state: "ready", owner: "alice" });
  act(() => FakeEventSource.last("api/events").send("session", ready));
  await screen.findByRole("button", { name: "Open" });
  await user.click(screen.getByRole("button", { name: "More for sweep-viewer" }));
  const link = await screen.findByRole("menuitem", { name: "Open in VS Code", hidden: true });
  expect(link).toHaveAttribute("href", "vscode://vscode-remote/ssh-remote+sweep-viewer.portal/");
});
