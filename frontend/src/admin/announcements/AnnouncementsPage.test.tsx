// Announcements: written with a preview, changed, ended; and seen above every page.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";

it("shows what is announced above every page", async () => {
  renderApp("/templates");
  expect(await screen.findByText(/Home quotas grow/)).toBeVisible();
  expect(screen.getByText(/^Maintenance on sxm2, /)).toBeVisible();
});

it("previews an announcement as it is written, and makes it", async () => {
  const { user, requests } = renderApp("/admin/announcements");
  await user.click(await screen.findByRole("button", { name: "New announcement" }));
  await user.type(screen.getByRole("textbox", { name: /^Text/ }), "The disk is full.\nDelete something.");
  const preview = screen.getByRole("group", { name: "Preview" });
  expect(within(preview).getByText("The disk is full. Delete something.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Announce" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Announce" })).toBeNull());
  const sent = requests.find(({ method, url }) => method === "POST" && url.endsWith("/admin/announcements"));
  expect(await sent?.json()).toMatchObject({ kind: "notice", text: "The disk is full. Delete something.", starts_at: null });
  expect(await screen.findByRole("article", { name: /^The disk is full/ })).toBeVisible();
});

it("names what maintenance would cut short, and asks before it closes partitions", async () => {
  const { user, requests } = renderApp("/admin/announcements");
  await user.click(await screen.findByRole("button", { name: "Change: Maintenance of the cooling. Sessions that would run into it are refused." }));
  expect(await screen.findByText("alice: bert-finetune on sxm2")).toBeVisible();
  expect(screen.getByText("bob: train (4713) on sxm2, running")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Save" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Close sxm2?" }));
  expect(dialog.getByText("bob: train (4713) on sxm2, running")).toBeVisible();
  expect(requests.filter(({ method }) => method === "PUT")).toHaveLength(0);
  await user.click(dialog.getByRole("button", { name: "Close and announce" }));
  await waitFor(() => expect(requests.filter(({ method }) => method === "PUT")).toHaveLength(1));
});

it("asks before it ends one", async () => {
  const { user } = renderApp("/admin/announcements");
  await user.click(await screen.findByRole("button", { name: /^End: Home quotas/ }));
  const dialog = await screen.findByRole("dialog", { name: "End this announcement?" });
  await user.click(within(dialog).getByRole("button", { name: "End it" }));
  const past = await screen.findByRole("region", { name: "Past" });
  expect(await within(past).findByRole("article", { name: /^Home quotas/ })).toBeVisible();
});
