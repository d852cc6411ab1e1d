import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";

const mailEvents = async () => within(await screen.findByRole("group", { name: "Mail: tell me when" }));

it("switches one event of one channel", async () => {
  const { user } = renderApp("/notifications");
  const box = (await mailEvents()).getByRole("switch", { name: /ends soon/ });
  expect(box).not.toBeChecked();
  await user.click(box);
  expect((await mailEvents()).getByRole("switch", { name: /ends soon/ })).toBeChecked();
  expect((await mailEvents()).getByRole("switch", { name: /is ready/ })).toBeChecked();
});

it("puts a test message on top of the log, and says when one is tried again", async () => {
  const { user } = renderApp("/notifications");
  await screen.findByText(/HTTP 503/);
  expect(screen.getByText(/next attempt/)).toBeVisible();
  await user.click(screen.getAllByRole("button", { name: "Send a test" })[0] as HTMLElement);
  expect((await screen.findAllByText("Test message")).length).toBe(2);
});

it("stores a webhook once and never shows its URL", async () => {
  const { user, container } = renderApp("/notifications");
  const field = await screen.findByLabelText("Replace the URL");
  await user.type(field, "https://hooks.slack.com/services/secret");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByLabelText("Replace the URL")).toHaveValue("");
  expect(container.innerHTML).not.toContain("services/secret");
});

it("reads the channels again after the webhook was removed", async () => {
  const { user, requests } = renderApp("/notifications");
  await user.click(await screen.findByRole("button", { name: "Remove" }));
  const reads = () => requests.filter(({ method, url }) => method === "GET" && url.endsWith("/notifications"));
  await waitFor(() => expect(reads()).toHaveLength(2));
  expect(requests.some(({ method }) => method === "DELETE")).toBe(true);
  expect(screen.queryByText("Something went wrong in the portal.")).toBeNull();
});
