import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";

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
