// Reports: numbers with their source, rows by the chosen grouping, and hostile names that stay text.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";

it("shows my use with advice, limit and the jobs to look at", async () => {
  renderApp("/usage?from=2026-11-01&to=2026-11-21");
  expect(await screen.findByText(/Your GPUs were busy 12 %/)).toBeVisible();
  expect(screen.getByText(/300 GPU-hours this month: 60.5 used, 20 promised/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Session of job 4711" })).toHaveAttribute("href", "/sessions/bertfinetune");
  const table = within(screen.getByRole("region", { name: "Usage by month" }));
  expect(table.getByRole("rowheader", { name: "November 2026" })).toBeVisible();
  expect(table.getAllByText("1 h 30 min")).toHaveLength(2);
  expect(screen.getByText(/midnight UTC/)).toHaveTextContent("From Slurm's accounting.");
});

it("asks anew by what an administrator chooses, and shows names as they are", async () => {
  const { user, requests, router } = renderApp("/admin/usage?from=2026-11-01&to=2026-11-21");
  expect(await screen.findByRole("rowheader", { name: "=cmd()<b>" })).toBeVisible();
  await user.selectOptions(screen.getByRole("combobox", { name: "By" }), "group");
  expect(await screen.findByText(/Groups are those in the directory today/)).toBeVisible();
  expect(screen.getByRole("rowheader", { name: "unknown or none" })).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: "Only this user" }), "bob");
  await waitFor(() => expect(requests.some(({ url }) => /by=group/.test(url) && /user=bob/.test(url))).toBe(true));
  expect(router.state.location.search).toContain("user=bob");
  expect(screen.getByRole("button", { name: "CSV" })).toHaveAttribute("href", expect.stringContaining("/admin/usage/csv?from=2026-11-01&to=2026-11-21&by=group&user=bob"));
});

it("puts those who left most GPU-hours unused first for an administrator, and sorts by any column", async () => {
  const { user, router } = renderApp("/admin/usage?from=2026-11-01&to=2026-11-21");
  const table = within(await screen.findByRole("region", { name: "Usage by user" }));
  expect(table.getByRole("columnheader", { name: "Unused" })).toHaveAttribute("aria-sort", "descending");
  const first = () => table.getAllByRole("rowheader")[0];
  expect(first()).toHaveTextContent("alice");
  await user.click(table.getByRole("button", { name: "User" }));
  expect(router.state.location.search).toContain("sort=key");
  expect(first()).toHaveTextContent("=cmd()<b>");
});

it("says since when the accounting is away, and shows what is kept", async () => {
  renderApp("/admin/usage", { scene: "down" });
  expect(await screen.findByText(/accounting does not answer/)).toBeVisible();
  expect(screen.getByRole("rowheader", { name: "alice" })).toBeVisible();
});

it("says that nothing was held in an empty range", async () => {
  renderApp("/usage", { scene: "empty" });
  expect(await screen.findByText("No usage in this period.")).toBeVisible();
  expect(screen.queryByRole("region", { name: /Usage by/ })).toBeNull();
});

it("says what went wrong, and asks again", async () => {
  const { user, world } = renderApp("/usage", { scene: "failing" });
  const again = await screen.findByRole("button", { name: /again/i });
  world.setScene("full");
  await user.click(again);
  expect(await screen.findByText(/Your GPUs were busy/)).toBeVisible();
});
