import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { leave } from "~/lib/leave";
import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { LAB_FILES } from "../../mock/handler";
import { writeFile } from "../../mock/software";

const gpus = () => screen.findByRole("spinbutton", { name: "GPUs" });
const start = () => screen.getByRole("button", { name: "Start session" });
const posted = (requests: Request[]) => {
  const post = requests.find(({ method, url }) => method === "POST" && url.endsWith("/sessions"));
  return post?.clone().json() as Promise<unknown>;
};

it("says in words what comes of the form, and follows each change", async () => {
  const { user } = renderApp("/sessions/new");
  const panel = within(await screen.findByRole("complementary", { name: "This session" }));
  expect(await panel.findByText("1 × V100, 8 cores, 48 GB for 8 h on sxm2")).toBeVisible();
  expect(await panel.findByText("starts now")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "One GPU more" }));
  await user.click(screen.getByRole("radio", { name: "4 h" }));
  expect(await panel.findByText("2 × V100, 16 cores, 96 GB for 4 h on sxm2")).toBeVisible();
});

it("keeps checking a request that would wait: the queue moves without an event", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
  try {
    const { world } = renderApp("/sessions/new?gpus=3&gpu_type=a100&environment=pytorch");
    const panel = within(await screen.findByRole("complementary", { name: "This session" }));
    expect(await panel.findByText(/^would wait for 1 free GPU/)).toBeVisible();
    const fill = world.fill.bind(world);
    vi.spyOn(world, "fill").mockImplementation((asked) => ({ ...fill(asked), gpus: 2 }));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await panel.findByText("starts now")).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

it("offers the reservations that one may use without Advanced, with the link for others in it", async () => {
  vi.stubGlobal("isSecureContext", true);
  const { user, requests } = renderApp("/sessions/new");
  const choices = within(await screen.findByRole("group", { name: /^Reservation/ }));
  expect(choices.getByRole("radio", { name: "None" })).toBeChecked();
  await user.click(choices.getByRole("radio", { name: "exam: 1 node, 4 GPUs" }));
  expect(screen.getByRole("combobox", { name: "Partition" })).toHaveValue("debug");
  await user.click(choices.getByRole("button", { name: "Copy the link to exam" }));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/services/portal/sessions/new?reservation=exam`);
  await user.click(start());
  await waitFor(async () => expect(await posted(requests)).toMatchObject({ resources: { reservation: "exam", partition: "debug" } }));
});

it("opens with the reservation that the link names", async () => {
  renderApp("/sessions/new?reservation=class");
  expect(await screen.findByRole("radio", { name: /^class/ })).toBeChecked();
  expect(screen.getByRole("combobox", { name: "Partition" })).toHaveValue("sxm2");
});

it("asks for the memory that a link names, until a type is chosen", async () => {
  const { user, requests } = renderApp("/sessions/new?gpu_memory_gb=40");
  await user.click(await screen.findByRole("radio", { name: /The smallest with 40 GB or more/ }));
  await user.click(start());
  await waitFor(async () => expect(await posted(requests)).toMatchObject({ resources: { gpu_memory_gb: 40 } }));
});

it("offers what would start now instead of what waits, one click each", async () => {
  const { user, requests } = renderApp("/sessions/new?gpus=3&gpu_type=a100&time=2h&environment=pytorch");
  const panel = within(await screen.findByRole("complementary", { name: "This session" }));
  expect(await panel.findByText(/^Probably between .* and /)).toBeVisible();
  expect(panel.getByText("9 of 10 jobs like it waited 10 min to 40 min (64 in the last four weeks).")).toBeVisible();
  await user.click(await panel.findByRole("button", { name: /2.×.A100 instead of.3: now/ }));
  expect(start()).toHaveFocus();
  expect(await gpus()).toHaveValue(2);
  expect(await panel.findByText("starts now")).toBeVisible();
  expect(panel.queryByText(/Probably/)).not.toBeInTheDocument();
  expect(panel.queryByRole("group")).not.toBeInTheDocument();
  await user.keyboard("{Enter}");
  await waitFor(async () => expect(await posted(requests)).toMatchObject({ environment: "pytorch", resources: { gpus: 2, gpu_type: "a100", walltime_s: 7200 } }));
});

it("saves the form as a preset, starts from it, renames and deletes it, and copies its link", async () => {
  vi.stubGlobal("isSecureContext", true);
  const { user, router } = renderApp("/sessions/new?gpus=2&time=1h&name=mine");
  const bar = within(await screen.findByRole("group", { name: "Start from" }));
  await user.click(bar.getByRole("button", { name: "Presets" }));
  await user.type(await screen.findByRole("textbox", { name: "Save this form as" }), "small{Enter}");
  await user.click(await bar.findByRole("button", { name: "Course" }));
  expect(screen.getByRole("radio", { name: /Terminal/ })).toBeChecked();
  await user.click(bar.getByRole("button", { name: "small" }));
  await waitFor(() => expect(router.state.location.search).toBe("?app=jupyterlab&gpus=2&time=1h&preset=small"));
  await user.click(bar.getByRole("button", { name: "Copy link" }));
  expect(await bar.findByText("Copied")).toBeVisible();
  expect(await navigator.clipboard.readText()).toMatch(/\?app=jupyterlab&gpus=2&time=1h$/);

  await user.click(bar.getByRole("button", { name: "Presets" }));
  await user.type(await screen.findByRole("textbox", { name: "Name of small" }), "er{Enter}");
  expect(await screen.findByRole("button", { name: "smaller", hidden: true })).toBeInTheDocument();
  await user.click(await screen.findByRole("button", { name: "Delete smaller" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "smaller", hidden: true })).not.toBeInTheDocument());
});

it("starts from the last session\u2019s choice", async () => {
  const { user } = renderApp("/sessions/new");
  await user.click(await screen.findByRole("button", { name: /^Last time: / }));
  expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("");
});

it("keeps its state in the address, and takes it from there", async () => {
  const { user, router } = renderApp("/sessions/new?app=terminal&gpus=2&time=1h&partition=debug");
  expect(await gpus()).toHaveValue(2);
  expect(screen.getByRole("radio", { name: /Terminal/ })).toBeChecked();
  expect(screen.getByRole("combobox", { name: "Partition" })).toHaveValue("debug");
  await user.click(screen.getByRole("button", { name: "One GPU more" }));
  await waitFor(() => expect(router.state.location.search).toBe("?app=terminal&gpus=3&time=1h&partition=debug"));
});

it("leaves an address as it was written until something is changed", async () => {
  const { router, user } = renderApp("/sessions/new?time=1h&gpus=2");
  const seen: string[] = [];
  router.subscribe(({ location }) => seen.push(location.search));
  await screen.findByText("starts now");
  await user.click(screen.getByRole("button", { name: "One GPU fewer" }));
  await waitFor(() => expect(router.state.location.search).toBe("?gpus=1&time=1h"));
  expect(new Set(seen)).toEqual(new Set(["?gpus=1&time=1h"]));
});

it("is not led back by a change made just before the start", async () => {
  const { user, router, world } = renderApp("/sessions/new");
  await gpus();
  await user.click(screen.getByRole("button", { name: "One GPU more" }));
  await user.click(start());
  await waitFor(() => expect(world.sessions[0]).toMatchObject({ id: "new000000001", state: "ready" }));
  expect(router.state.location.pathname).toMatch(/^\/sessions\/new0/);
});

it("unlinks cores and memory by hand, and links them again", async () => {
  const { user, router } = renderApp("/sessions/new?gpus=2");
  await user.click(await screen.findByRole("button", { name: "Set by hand" }));
  const cores = screen.getByRole("spinbutton", { name: "CPU cores" });
  await user.clear(cores);
  await user.type(cores, "20");
  expect(screen.getByText("20 cores,", { exact: false, selector: "strong" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Link to GPUs again" }));
  expect(screen.getByText("16 cores,", { exact: false, selector: "strong" })).toBeVisible();
  await waitFor(() => expect(router.state.location.search).toBe("?gpus=2"));
});

it("says what is wrong beside its field, sends nothing, and leads to the field", async () => {
  const { user, requests } = renderApp("/sessions/new?partition=debug");
  await user.clear(await gpus());
  await user.type(await gpus(), "9");
  const group = screen.getByRole("group", { name: "GPUs" });
  expect(await within(group).findByText(/A node of debug has 4 GPUs\. Ask for at most 4\./)).toBeVisible();
  expect(await screen.findByText("Correct one field before starting.")).toBeVisible();
  await user.click(start());
  await waitFor(async () => expect(await gpus()).toHaveFocus());
  expect(await posted(requests)).toBeUndefined();
  expect(await gpus()).toHaveValue(9);
});

it("closes lengths the partition does not allow, with the reason", async () => {
  renderApp("/sessions/new?partition=debug");
  const long = await screen.findByRole("radio", { name: "8 h" });
  expect(long).toBeDisabled();
  expect(long.closest("label")).toHaveAttribute("title", "8 h is over the limit of debug (30 min).");
  expect(screen.getByRole("radio", { name: "30 min" })).toBeChecked();
});

it("starts the session and opens it in this tab when it is ready", async () => {
  const to = vi.spyOn(leave, "to").mockImplementation(() => {});
  const { user, requests, router, world } = renderApp("/sessions/new?gpus=2&name=mine&environment=pytorch");
  const ready = () => ({ ...world.sessions[0], state: "ready", node: "node002", url: "/user/alice/mine/lab" });
  await gpus();
  await user.click(start());
  expect(await screen.findByRole("heading", { level: 1, name: /mine/ })).toBeVisible();
  expect(await posted(requests)).toEqual({
    app: "jupyterlab",
    name: "mine",
    environment: "pytorch",
    resources: { gpus: 2 },
  });
  expect(router.state.location.pathname).toMatch(/^\/sessions\/new0/);
  expect(screen.getByRole("switch", { name: "Open JupyterLab here as soon as it is ready" })).toBeChecked();
  act(() => FakeEventSource.last("api/events").send("session", ready()));
  await waitFor(() => expect(to).toHaveBeenCalledWith("/user/alice/mine/lab"));
  // Going back must not redirect again.
  expect(router.state.location.state).toBeNull();
});

it("tells apart an environment that is not installed, and lets administrators install it", async () => {
  const { user, world } = renderApp("/sessions/new?environment=jax");
  expect(await screen.findByText(/JAX is not installed here yet\. Install it, then start\./)).toBeVisible();
  await user.click(await screen.findByRole("button", { name: "Install JAX" }));
  await waitFor(() => expect(world.environments.find(({ name }) => name === "jax")?.state).toBe("installed"), { timeout: 6000 });
});

it("shows the apps under their headings, and why one cannot be had", async () => {
  renderApp("/sessions/new");
  expect(await screen.findByRole("heading", { name: "Look at results" })).toBeVisible();
  const digits = screen.getByRole("radio", { name: /DIGITS/ });
  expect(digits).toBeDisabled();
  expect(screen.getByText("No environment on this site has the program digits-devserver.")).toBeVisible();
});

it("asks what the app asks, chosen with the keyboard, and gives the app's own resources", async () => {
  const { user, requests, router } = renderApp("/sessions/new?app=tensorboard");
  const panel = within(await screen.findByRole("complementary", { name: "This session" }));
  expect(await panel.findByText("no GPU, 1 core, 4 GB for 8 h on sxm2")).toBeVisible();
  const folder = screen.getByRole("combobox", { name: /Folder with event files/ });
  await user.click(start());
  await waitFor(() => expect(folder).toHaveFocus());
  expect(screen.getByText("Folder with event files: a value is required.")).toBeVisible();
  await screen.findByRole("option", { name: "runs", hidden: true });
  await user.keyboard("~/r");
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(folder).toHaveValue("~/runs/");
  await user.keyboard("re");
  await screen.findByRole("option", { name: "resnet", hidden: true });
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(folder).toHaveValue("~/runs/resnet/");
  expect(await panel.findByText("No event files yet: TensorBoard will wait for them.")).toBeVisible();
  await user.click(start());
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/new0/));
  expect(await posted(requests)).toEqual({ app: "tensorboard", options: { folder: "~/runs/resnet" }, resources: {} });
});

it("looks again at a folder that held nothing", async () => {
  const { user } = renderApp("/sessions/new?app=tensorboard&option.folder=~%2Fruns%2Fresnet");
  const panel = within(await screen.findByRole("complementary", { name: "This session" }));
  const warning = "No event files yet: TensorBoard will wait for them.";
  expect(await panel.findByText(warning)).toBeVisible();
  const undo = writeFile("~/runs/resnet", "events.out.tfevents.2");
  try {
    await user.click(screen.getByRole("button", { name: "Check again" }));
    await waitFor(() => expect(panel.queryByText(warning)).toBeNull());
    expect(screen.queryByRole("button", { name: "Check again" })).toBeNull();
  } finally {
    undo();
  }
});

it("offers the folders of last time first", async () => {
  localStorage.setItem("dsp.folders:alice", JSON.stringify(["~/runs/bert"]));
  const { user } = renderApp("/sessions/new?app=tensorboard");
  await user.click(await screen.findByRole("combobox", { name: /Folder with event files/ }));
  await user.click(await screen.findByRole("option", { name: "~/runs/bert", hidden: true }));
  expect(screen.getByRole("combobox", { name: /Folder with event files/ })).toHaveValue("~/runs/bert");
});

it("loads modules on top, in the order in which they are chosen", async () => {
  const { user, router } = renderApp("/sessions/new");
  await user.click(await screen.findByRole("button", { name: /Advanced/ }));
  const search = screen.getByRole("combobox", { name: "Environment modules" });
  await user.type(search, "toolkit 12");
  const list = await screen.findByRole("listbox", { name: "Environment modules", hidden: true });
  expect(within(list).getAllByRole("option", { hidden: true })).toHaveLength(2);
  await user.keyboard("{Enter}");
  await user.type(search, "digits");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.search).toBe("?module=cuda%2F12.4&module=shared%2Fdigits%2F6.1.1"));
  await user.click(screen.getByRole("button", { name: "Remove cuda/12.4" }));
  await waitFor(() => expect(router.state.location.search).toBe("?module=shared%2Fdigits%2F6.1.1"));
});

it("does not start anything while Slurm does not answer", async () => {
  renderApp("/sessions/new", { scene: "down" });
  await gpus();
  await waitFor(() => expect(start()).toBeDisabled());
  expect(screen.getByText("Slurm does not answer: new sessions cannot start now.")).toBeVisible();
});

it("says that a partition of its address does not exist", async () => {
  renderApp("/sessions/new?partition=nosuch");
  expect(await screen.findByText("There is no partition “nosuch”. Choose another one.")).toBeVisible();
  expect(screen.queryByText(/has no GPUs/)).toBeNull();
  expect(screen.queryByText(/ on \.| of \s/)).toBeNull();
});

function prefetched(): string[] {
  return [...document.head.querySelectorAll<HTMLLinkElement>("link[rel=prefetch]")].map((link) => {
    const url = link.getAttribute("href") ?? "";
    link.dispatchEvent(new Event("load"));
    return url;
  });
}

it("loads what JupyterLab will need, once, and not for other apps or on a metered connection", async () => {
  Object.defineProperty(navigator, "connection", { configurable: true, value: { saveData: true } });
  const saving = renderApp("/sessions/new");
  await screen.findByRole("button", { name: "Start session" });
  expect(saving.requests.some(({ url }) => url.endsWith("lab-files"))).toBe(false);
  saving.unmount();
  Reflect.deleteProperty(navigator, "connection");
  const terminal = renderApp("/sessions/new?app=terminal");
  await screen.findByRole("button", { name: "Start session" });
  expect(terminal.requests.some(({ url }) => url.endsWith("lab-files"))).toBe(false);
  terminal.unmount();
  const { router } = renderApp("/sessions/new?app=jupyterlab");
  await waitFor(() => expect(prefetched()).toEqual(LAB_FILES));
  await act(() => router.navigate("/sessions/sweepviewer1"));
  await screen.findByText("Progress");
  expect(prefetched()).toEqual([]);
});
