import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { row } from "../../mock/jobs";

const line = async (name: string) => {
  const link = await screen.findByRole("link", { name });
  return within(link.closest("[role='row']") as HTMLElement);
};
const names = () => [...document.querySelectorAll("[data-control='link']")].map((link) => link.textContent);
const sent = async (requests: Request[]) => {
  const post = requests.findLast(({ method, url }) => method === "POST" && url.endsWith("/jobs/actions"));
  return post?.clone().json() as Promise<unknown>;
};

/** Holds back the response to the next query of `path`, which is computed at once. */
function hold(path: string) {
  const given = globalThis.fetch;
  let release: () => void = () => undefined;
  let holds: () => void = () => undefined;
  const held = new Promise<void>((done) => (holds = done));
  const released = new Promise<void>((done) => (release = done));
  vi.stubGlobal("fetch", async (request: Request) => {
    const answer = await given(request);
    if (new URL(request.url).pathname.endsWith(path)) {
      holds();
      await released;
    }
    return answer;
  });
  return { held, release };
}

it("says of each job how it stands, why it waits and what it has", async () => {
  renderApp("/jobs");
  const waiting = await line("resnet-2nodes");
  expect(waiting.getByText("Waiting")).toBeVisible();
  expect(waiting.getByText("Waiting for free GPUs: 8 V100 on 2 nodes are needed.")).toBeVisible();
  expect(waiting.getByText(/^expected (tomorrow )?\d\d:\d\d$/)).toBeVisible();
  expect(waiting.getByText("2 nodes × (4 × V100 · 32 cores · 192 GB)")).toBeVisible();
  const running = await line("bert-pretrain");
  expect(running.getByText(/^2 h (29|30) min left$/)).toBeVisible();
  expect((await line("held-back")).getByText("Held")).toBeVisible();
});

it("folds an array into one row, and opens its tasks a hundred at a time", async () => {
  const { user } = renderApp("/jobs");
  expect((await line("sweep")).getByText("316 finished, 40 running, 640 waiting, 4 failed")).toBeVisible();
  expect(screen.getAllByRole("row")).toHaveLength(1 + names().length);
  await user.click(screen.getByRole("button", { name: "Show the tasks of sweep" }));
  const tasks = within(await screen.findByRole("region", { name: "Tasks: sweep" }));
  await tasks.findByRole("link", { name: "8102_0" });
  expect(tasks.getAllByRole("listitem")).toHaveLength(100);
  await user.selectOptions(tasks.getByRole("combobox", { name: "Show" }), "failed");
  expect(await tasks.findByRole("link", { name: "8102_316" })).toHaveAttribute("href", "/jobs/8102?task=316");
  expect(tasks.getAllByRole("listitem")).toHaveLength(4);
});

it("sorts by a column, filters, and keeps both in the address", async () => {
  const { user, router } = renderApp("/jobs");
  await line("sweep");
  await user.click(screen.getByRole("button", { name: "Job" }));
  expect(names()).toEqual(["bert-pretrain", "held-back", "resnet-2nodes", "sweep"]);
  expect(screen.getByRole("columnheader", { name: "Job" })).toHaveAttribute("aria-sort", "ascending");
  await user.keyboard("/");
  await user.keyboard("8099");
  await waitFor(() => expect(names()).toEqual(["held-back"]));
  expect(router.state.location.search).toBe("?sort=name&q=8099");
});

it("selects by keyboard, and names what an action hits before it does it", async () => {
  const { user, requests } = renderApp("/jobs");
  await line("sweep");
  screen.getByRole("checkbox", { name: "Select resnet-2nodes" }).focus();
  await user.keyboard("[Space]{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
  const bar = within(screen.getByRole("region", { name: "Selected jobs" }));
  expect(bar.getByText("3 selected")).toBeVisible();
  expect(bar.getByRole("button", { name: "Release" })).toBeDisabled();
  await user.click(bar.getByRole("button", { name: "Cancel" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel 3 jobs?" }));
  expect(dialog.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["8103 resnet-2nodes", "8102 sweep · 680 tasks", "8101 bert-pretrain"]);
  await user.click(dialog.getByRole("button", { name: "Cancel 3 jobs" }));
  await waitFor(() => expect(names()).toEqual(["held-back"]));
  expect(await sent(requests)).toEqual({ ids: ["8103", "8102", "8101"], action: "cancel" });
  await waitFor(() => expect(screen.queryByRole("region", { name: "Selected jobs" })).toBeNull());
});

it("offers what can be done with the selected jobs as they are now", async () => {
  const { user } = renderApp("/jobs");
  await user.click(await screen.findByRole("checkbox", { name: "Select resnet-2nodes" }));
  const bar = within(screen.getByRole("region", { name: "Selected jobs" }));
  expect(bar.getByRole("button", { name: "Requeue" })).toBeDisabled();
  act(() => FakeEventSource.last("/events").send("jobs", { items: [row({ id: "8103", name: "resnet-2nodes", state: "RUNNING" })], gone: [] }));
  await waitFor(() => expect(bar.getByRole("button", { name: "Requeue" })).toBeEnabled());
  expect(bar.getByRole("button", { name: "Hold" })).toBeDisabled();
});

it("cancels some tasks of an array by their numbers", async () => {
  const { user, requests } = renderApp("/jobs");
  await line("sweep");
  await user.click(screen.getByRole("button", { name: "Show the tasks of sweep" }));
  const range = await screen.findByRole("textbox", { name: "Select tasks by number" });
  await user.type(range, "5-1");
  await user.click(screen.getByRole("button", { name: "Select" }));
  expect(await screen.findByText(/Enter numbers and ranges/)).toBeVisible();
  await user.clear(range);
  await user.type(range, "0-499");
  await user.click(screen.getByRole("button", { name: "Select" }));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("sweep, 500 tasks", { exact: false })).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Cancel 1 job" }));
  await waitFor(async () => expect(await sent(requests)).toEqual({ ids: ["8102_[0-499]"], action: "cancel" }));
});

it("asks for the new limit before it shortens, and says what did not work", async () => {
  const { user, requests } = renderApp("/jobs");
  await user.click(await screen.findByRole("checkbox", { name: "Select bert-pretrain" }));
  await user.click(screen.getByRole("button", { name: "Shorten time limit" }));
  const minutes = await screen.findByRole("textbox", { name: "New time limit (minutes)" });
  await user.type(minutes, "soon");
  await user.click(screen.getByRole("button", { name: "Shorten 1 job" }));
  expect(screen.getByText(/whole number of minutes/)).toBeVisible();
  await user.clear(minutes);
  await user.type(minutes, "90");
  await user.click(screen.getByRole("button", { name: "Shorten 1 job" }));
  expect(await screen.findByText("It would be longer than before.")).toBeVisible();
  expect(await sent(requests)).toEqual({ ids: ["8101"], action: "time_limit", walltime_s: 5400 });
});

it("changes in place with the live stream, and drops what has ended", async () => {
  renderApp("/jobs");
  await line("resnet-2nodes");
  const stream = FakeEventSource.last("/events");
  act(() => stream.send("jobs", { items: [row({ id: "8103", name: "resnet-2nodes", state: "RUNNING" })], gone: [] }));
  await waitFor(async () => expect((await line("resnet-2nodes")).getByText("Running")).toBeVisible());
  act(() => stream.send("jobs", { items: [row({ id: "8103", name: "resnet-2nodes", state: "FAILED" })], gone: [] }));
  await waitFor(() => expect(names()).not.toContain("resnet-2nodes"));
});

it("keeps news that came while an older answer was on its way", async () => {
  const { queries } = renderApp("/jobs");
  await line("sweep");
  const slow = hold("/jobs");
  const reading = queries.invalidateQueries({ queryKey: ["jobs"] });
  await slow.held;
  const array = { total: 1000, pending: 140, running: 40, done: 316, failed: 4, cancelled: 500, range: "0-999" };
  act(() => FakeEventSource.last("/events").send("jobs", { items: [row({ id: "8102", name: "sweep", array })], gone: [] }));
  expect((await line("sweep")).getByText(/500 cancelled/)).toBeVisible();
  slow.release();
  await act(() => reading);
  expect((await line("sweep")).getByText(/500 cancelled/)).toBeVisible();
});

it("opens a job beside the list, by address", async () => {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("min-width"),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  const { user, router } = renderApp("/jobs");
  await user.click(await screen.findByRole("link", { name: "bert-pretrain" }));
  const panel = within(await screen.findByRole("complementary", { name: "Job bert-pretrain" }));
  expect(panel.getByRole("link", { name: /Open as a page/ })).toHaveAttribute("href", "/jobs/8101");
  expect(router.state.location.search).toBe("?job=8101");
  await user.click(panel.getByRole("button", { name: "Close" }));
  expect(router.state.location.search).toBe("");
});

it("tells of one task of an array, as the list of tasks and Slurm's own name for it lead there", async () => {
  const { router } = renderApp("/jobs/8102_317");
  const failed = within(await screen.findByRole("region", { name: "Task 317" }));
  expect(await failed.findByText("Failed")).toBeVisible();
  expect(failed.getByText(/exit code 1/)).toBeVisible();
  expect(router.state.location.pathname + router.state.location.search).toBe("/jobs/8102?task=317");
  await act(() => router.navigate("/jobs/8102?task=4711"));
  const none = within(await screen.findByRole("region", { name: "Task 4711" }));
  expect(await none.findByText("Job 8102 has no task 4711.")).toBeVisible();
});

it("shows a task of an array that runs first, with its output, and stays with it", async () => {
  const { router } = renderApp("/jobs/8102");
  const running = within(await screen.findByRole("region", { name: "Task 320" }));
  expect(await running.findByText("Running")).toBeVisible();
  expect(router.state.location.search).toBe("?task=320");
  const output = screen.getByRole("heading", { name: "Output" });
  expect(output.compareDocumentPosition(screen.getByRole("region", { name: "Tasks: sweep" }))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it("has no such job at an address that names none, and asks nobody for it", async () => {
  for (const id of ["rubbish", "8102_x", "0", "-1"]) {
    const { unmount, requests } = renderApp(`/jobs/${id}`);
    expect(await screen.findByRole("heading", { level: 1, name: "Job not found" })).toBeVisible();
    expect(requests.filter(({ url }) => /\/jobs\/[^?]/.test(new URL(url).pathname))).toEqual([]);
    unmount();
  }
});

it("says what to do when there is nothing, and what failed", async () => {
  const { unmount } = renderApp("/jobs", { scene: "empty" });
  expect(await screen.findByText("You have no waiting or running jobs")).toBeVisible();
  unmount();
  renderApp("/jobs", { scene: "failing" });
  expect(await screen.findByRole("alert")).toHaveTextContent("Slurm does not answer.");
});

it("says at a job's end what would be enough for the next one of its name", async () => {
  renderApp("/jobs/8090");
  expect(await screen.findByText("Your last 3 finished jobs named “big-batch” ran for at most 40 min: 1 h would be enough.")).toBeVisible();
  expect(screen.queryByText(/GB would be enough/)).toBeNull();
});
