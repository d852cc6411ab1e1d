import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { Operation } from "~/api/files";
import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { operation } from "../../mock/files";
import { ago } from "../../mock/units";
import { World } from "../../mock/world";

// The browser's build, which keeps unfinished uploads.
vi.mock("tus-js-client", () => vi.importActual("../../node_modules/tus-js-client/lib.esm/browser/index.js"));

const told = (news: Partial<Operation>) => act(() => FakeEventSource.last("/events").send("file-operation", operation(news)));

/** Without a layout, an open menu counts as scrolled out of view. */
const item = (name: string) => screen.findByRole("menuitem", { name, hidden: true });

const bodies = async (requests: Request[], method: string, path: string) => {
  const sent = requests.filter((request) => request.method === method && new URL(request.url).pathname.endsWith(path));
  return Promise.all(sent.map((request) => request.clone().json() as Promise<unknown>));
};

it("leads into a folder and, with Backspace, up again", async () => {
  const { user, router } = renderApp("/files?path=~/runs");
  await user.click(await screen.findByRole("button", { name: /bert/ }));
  await waitFor(() => expect(router.state.location.search).toContain("bert"));
  (await screen.findByRole("button", { name: /tfevents/ })).focus();
  await user.keyboard("{Backspace}");
  await waitFor(() => expect(new URLSearchParams(router.state.location.search).get("path")).toBe("~/runs"));
});

it("deletes with a key and undoes it", async () => {
  const { user, requests } = renderApp("/files?path=~/work");
  (await screen.findByRole("button", { name: /scores/ })).focus();
  await user.keyboard("{Delete}");
  expect(await screen.findByText("1 item moved to the bin.")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("button", { name: /scores/ })).toBeNull());
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("1 item put back.")).toBeVisible();
  expect(await bodies(requests, "POST", "/remove")).toEqual([{ paths: ["~/work/scores.csv"] }]);
  expect(await bodies(requests, "POST", "/restore")).toEqual([{ ids: ["~/work/scores.csv"] }]);
});

it("shows a table, and a notebook whose HTML does not become elements", async () => {
  const { user } = renderApp("/files?path=~/work&file=scores.csv");
  expect(await screen.findByRole("cell", { name: "Doe, Jane" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Close the panel" }));
  await user.click(screen.getByRole("button", { name: /results/ }));
  const panel = await screen.findByRole("complementary", { name: "results.ipynb" });
  expect(await within(panel).findByText("print(1)")).toBeVisible();
  expect(within(panel).getByText(/HTML output/)).toBeVisible();
  expect(panel.querySelector("script")).toBeNull();
});

it("says what is not there", async () => {
  renderApp("/files?path=~/nowhere");
  expect(await screen.findByText("There is nothing at this path.")).toBeVisible();
});

it("says which place does not answer", async () => {
  renderApp("/files");
  expect(await screen.findByText("It does not answer.")).toBeVisible();
  expect(screen.getByText("40 GB of 100 GB (quota)")).toBeVisible();
});

it("copies with the keys, tells how far it is, and cancels", async () => {
  const { user, router, requests } = renderApp("/files?path=~/work");
  (await screen.findByRole("button", { name: /scores/ })).focus();
  await user.keyboard("{Control>}c{/Control}");
  await act(() => router.navigate("/files?path=~/runs"));
  (await screen.findByRole("button", { name: /bert/ })).focus();
  await user.keyboard("{Control>}v{/Control}");
  const list = within(await screen.findByRole("region", { name: "Copies and deletions" }));
  expect(await bodies(requests, "POST", "/copies")).toEqual([{ paths: ["~/work/scores.csv"], target: "~/runs", conflict: "refuse" }]);
  const sizes = { bytes_total: 4 * 2 ** 30, entries_done: 3, entries_total: 9, current: "deep/weights.bin" };
  told({ ...sizes, bytes_done: 2 ** 30, began: "2126-01-01T10:00:00Z", state: "waiting", updated: "2126-01-01T10:00:00Z" });
  told({ ...sizes, bytes_done: 2 ** 30, updated: "2126-01-01T10:00:01Z" });
  expect(await list.findByText("3 of 9 items · 1 GB of 4 GB")).toBeVisible();
  told({ ...sizes, bytes_done: 3 * 2 ** 30, updated: "2126-01-01T10:00:03Z" });
  expect(await list.findByText("3 of 9 items · 3 GB of 4 GB · 1 GB/s")).toBeVisible();
  expect(list.getByText("deep/weights.bin")).toBeVisible();
  expect(list.getByRole("progressbar")).toHaveAttribute("value", String(3 * 2 ** 30));
  told({ ...sizes, bytes_done: 0, updated: "2126-01-01T10:00:01Z" });
  expect(list.getByRole("progressbar")).toHaveAttribute("value", String(3 * 2 ** 30));
  await user.click(list.getByRole("button", { name: "Cancel “Copy scores.csv to ~/runs”" }));
  expect(requests.some(({ method, url }) => method === "DELETE" && url.endsWith("/files/operations/operation0"))).toBe(true);
  told({ state: "cancelled", ended: "2126-01-01T10:00:04Z", updated: "2126-01-01T10:00:04Z", message: "It was stopped." });
  expect(await list.findByText("It was stopped.")).toBeVisible();
  await user.click(list.getByRole("button", { name: /Dismiss/ }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Copies and deletions" })).toBeNull());
});

it("asks what to do about taken names, and names what failed", async () => {
  const { user, requests } = renderApp("/files?path=~/runs");
  await screen.findByRole("button", { name: /bert/ });
  const failed = [
    { path: "~/work/a", code: "exists", message: "The folder already has something called “a”." },
    { path: "~/work/b", code: "forbidden", message: "You may not read it." },
  ];
  told({ state: "failed", ended: ago(0), count: 2, failed, failed_count: 2, updated: ago(0) });
  await user.click(await screen.findByText("2 items failed"));
  expect(screen.getByText(/You may not read it/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Names are taken…" }));
  await user.click(await screen.findByRole("button", { name: "Keep both" }));
  await waitFor(async () => expect(await bodies(requests, "POST", "/copies")).toEqual([{ paths: ["~/work/a"], target: "~/runs", conflict: "rename" }]));
});

it("deletes for good after asking", async () => {
  const { user, requests } = renderApp("/files?path=~/work");
  (await screen.findByRole("button", { name: /scores/ })).focus();
  await user.keyboard("{Shift>}{Delete}{/Shift}");
  expect(await bodies(requests, "POST", "/delete")).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Delete for good" }));
  await waitFor(async () => expect(await bodies(requests, "POST", "/files/delete")).toEqual([{ paths: ["~/work/scores.csv"] }]));
  expect(await bodies(requests, "POST", "/remove")).toEqual([]);
});

it("empties the bin after asking", async () => {
  const { user, requests } = renderApp("/files?path=~/work");
  (await screen.findByRole("button", { name: /scores/ })).focus();
  await user.keyboard("{Delete}");
  await user.click(await screen.findByRole("link", { name: "Bin" }));
  await screen.findByText("scores.csv");
  await user.click(screen.getByRole("button", { name: "Empty the bin" }));
  expect(await bodies(requests, "POST", "/bin/empty")).toEqual([]);
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Empty the bin" }));
  await waitFor(async () => expect(await bodies(requests, "POST", "/bin/empty")).toEqual([{ ids: [] }]));
});

it("opens a notebook in a running session, or in a new one", async () => {
  const { user } = renderApp("/files?path=~/work&file=results.ipynb");
  const panel = within(await screen.findByRole("complementary", { name: "results.ipynb" }));
  await user.click(await panel.findByRole("button", { name: "Open in a session" }));
  expect(await item("bert-finetune")).toHaveAttribute("href", "/user/alice/session/lab/tree/work/results.ipynb");
  expect(await item("JupyterLab")).toHaveAttribute("href", "/sessions/new?app=jupyterlab&open=%7E%2Fwork%2Fresults.ipynb");
});

it("opens a folder in a new session; one outside the home only in what can show it", async () => {
  const { user, router } = renderApp("/files?path=~/work");
  await user.click(await screen.findByRole("button", { name: "Open in a session" }));
  expect(await item("TensorBoard")).toHaveAttribute("href", "/sessions/new?app=tensorboard&option.folder=%7E%2Fwork");
  expect(await item("JupyterLab")).toHaveAttribute("href", "/sessions/new?app=jupyterlab&open=%7E%2Fwork");
  await act(() => router.navigate("/files?path=/scratch"));
  await user.click(await screen.findByRole("button", { name: "Open in a session" }));
  expect(await item("TensorBoard")).toBeInTheDocument();
  expect(screen.queryByRole("menuitem", { name: "JupyterLab", hidden: true })).toBeNull();
});

it("copies a link that others can follow", async () => {
  vi.stubGlobal("isSecureContext", true);
  const { user } = renderApp("/files?path=~/work&file=results.ipynb");
  await user.click(await screen.findByRole("button", { name: "Copy link" }));
  expect(await screen.findByRole("button", { name: "Link copied" })).toBeVisible();
  const copied = new URL(await navigator.clipboard.readText());
  expect(copied.searchParams.get("path")).toMatch(/^\/.*\/work\/results.ipynb$/);
});

it("stars a folder, keeps it, and finds it from anywhere", async () => {
  const { user, unmount } = renderApp("/files?path=~/work");
  const star = await screen.findByRole("button", { name: "Star this folder" });
  expect(star).toHaveAttribute("aria-pressed", "false");
  await user.click(star);
  expect(star).toHaveAttribute("aria-pressed", "true");
  unmount();
  const { router } = renderApp("/");
  await screen.findByRole("heading", { name: "Sessions" });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Command palette" }), "~/work");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(new URLSearchParams(router.state.location.search).get("path")).toBe("~/work"));
  await user.click(await screen.findByRole("button", { name: "Star this folder" }));
  expect(localStorage.getItem("dsp.starred-folders:alice")).toBe("[]");
});

it("keeps starred and recent folders and unfinished uploads from the next user of this browser", async () => {
  const upload = { size: 9, metadata: { path: "~/work/model.bin" }, uploadUrl: "/services/portal/api/files/uploads/1" };
  localStorage.setItem("tus::tus::alice::~/work/model.bin::9::0::1", JSON.stringify(upload));
  const { user, unmount } = renderApp("/files?path=~/work");
  await user.click(await screen.findByRole("button", { name: "Star this folder" }));
  expect(await screen.findByRole("region", { name: "Unfinished uploads" })).toHaveTextContent("model.bin");
  unmount();
  const bob = new World();
  bob.username = "bob";
  const next = renderApp("/files", { world: bob });
  const places = () => screen.findByRole("navigation", { name: "Places" });
  await screen.findByRole("button", { name: "Star this folder" });
  expect(within(await places()).queryByRole("link", { name: /~\/work/ })).toBeNull();
  expect(screen.queryByRole("region", { name: "Unfinished uploads" })).toBeNull();
  next.unmount();
  renderApp("/files");
  expect(await within(await places()).findByRole("link", { name: "Starred ~/work" })).toBeVisible();
});

it("downloads a selection as an archive", async () => {
  const { user } = renderApp("/files?path=~/work");
  await user.click(await screen.findByRole("checkbox", { name: "Select train.sh" }));
  expect(screen.getByRole("link", { name: "Download" })).toHaveAttribute("href", "/services/portal/api/files/content?path=~%2Fwork%2Ftrain.sh");
  await user.click(await screen.findByRole("checkbox", { name: "Select results.ipynb" }));
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(await item("As a tar archive")).toHaveAttribute(
    "href",
    "/services/portal/api/files/archive?path=%7E%2Fwork%2Ftrain.sh&path=%7E%2Fwork%2Fresults.ipynb&format=tar",
  );
});
