import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import { endedJobs } from "~/live/jobNotices";
import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { World } from "../../mock/world";
import { row } from "../../mock/jobs";
import { ago } from "../../mock/units";

afterEach(() => {
  act(endedJobs.dismiss);
  vi.restoreAllMocks();
});

const over = (id: string, name: string, more = {}) =>
  row({ id, name, state: "OUT_OF_MEMORY", ended_at: ago(10), notify: true, end: { code: "oom", text: "It ran out of memory.", advice: null }, ...more });
const send = (...items: ReturnType<typeof row>[]) => act(() => FakeEventSource.last("/events").send("jobs", { items, gone: [] }));

const ready = () => screen.findAllByRole("link", { name: "Jobs" });

it("tells above every page how a job has ended whose owner asked for it, until it is put away", async () => {
  endedJobs.begin(Date.now() - 60_000);
  const { user } = renderApp("/cluster");
  await ready();
  send(over("1", "quiet", { notify: false }), over("2", "big-batch"));
  expect(await screen.findByText("big-batch: Out of memory.")).toBeVisible();
  expect(screen.queryByText(/quiet/)).toBeNull();
  expect(screen.getByRole("link", { name: "Show job" })).toHaveAttribute("href", "/jobs/2");
  send(over("2", "big-batch"), over("3", "second", { ended_at: ago(5) }));
  expect(await screen.findByText("2 of your jobs have ended.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("2 of your jobs have ended.")).toBeNull();
});

it("tells of what ended while no page was open, and of that once", async () => {
  endedJobs.begin(Date.now() - 3_600_000);
  const world = new World();
  world.jobs = [over("7", "overnight", { ended_at: ago(1800) }), over("6", "older", { ended_at: ago(7200) })];
  const jobs = world.jobs;
  const { unmount } = renderApp("/cluster", { world });
  world.jobs = jobs;
  expect(await screen.findByText("overnight: Out of memory.")).toBeVisible();
  expect(screen.queryByText(/older/)).toBeNull();
  unmount();
  act(endedJobs.dismiss);
  const { requests } = renderApp("/cluster", { world });
  world.jobs = jobs;
  await waitFor(() => expect(requests.some(({ url }) => url.includes("/jobs?state=ended"))).toBe(true));
  expect(screen.queryByText(/overnight/)).toBeNull();
});

it("asks nothing for who never wanted to be told", async () => {
  const { requests } = renderApp("/cluster");
  await ready();
  expect(requests.some(({ url }) => url.includes("/jobs?state=ended"))).toBe(false);
});

it("notifies of a job that ends while the page is behind others", async () => {
  const shown: string[] = [];
  const notice = vi.fn(function (title: string, { body }: { body: string }) {
    shown.push(`${title} ${body}`);
  });
  vi.stubGlobal("Notification", Object.assign(notice, { permission: "granted" }));
  vi.stubGlobal("isSecureContext", true);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  localStorage.setItem("dsp.notices", "yes");
  renderApp("/cluster");
  await ready();
  send(over("9", "behind"));
  send(over("9", "behind"));
  expect(shown).toEqual(["behind: Out of memory. It ran out of memory."]);
});
