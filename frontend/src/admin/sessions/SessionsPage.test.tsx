// Everybody's sessions: updated by the stream, selected, acted on; failures are named and tried again alone.
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { everybodys } from "../../../mock/adminSessions";
import { mergeAnyones } from "./queries";

const HOSTILE = "<img src=x onerror=alert(1)>";

it("follows the one stream: news of anybody's session change its row in place", async () => {
  renderApp("/admin/sessions");
  const row = await screen.findByRole("row", { name: /carol/ });
  expect(within(row).getByText("node004")).toBeVisible();
  await waitFor(() => FakeEventSource.last("/events?also=sessions"));
  const carols = everybodys().find(({ owner }) => owner === "carol");
  act(() => FakeEventSource.last("/events?also=sessions").send("anyones", { ...carols, node: "node002" }));
  expect(await within(row).findByText("node002")).toBeVisible();
  act(() => FakeEventSource.last("/events?also=sessions").send("anyones", { ...carols, state: "ended" }));
  await waitFor(() => expect(screen.queryByRole("row", { name: /carol/ })).toBeNull());
});

it("shows names that are markup as the text they are", async () => {
  const { container } = renderApp("/admin/sessions");
  expect(await screen.findByText(HOSTILE)).toBeVisible();
  expect(container.querySelector("img")).toBeNull();
});

it("extends chosen sessions, names what failed, and tries that alone again", async () => {
  const { user, requests } = renderApp("/admin/sessions");
  await user.click(await screen.findByRole("checkbox", { name: "Select all" }));
  await user.click(screen.getByRole("button", { name: "Extend…" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Extend/ }));
  await user.click(dialog.getByRole("button", { name: "Extend" }));
  expect(await dialog.findByText(/A session of carol may last 4 h at most/)).toBeVisible();
  await user.click(dialog.getByRole("switch"));
  await user.click(dialog.getByRole("button", { name: "Extend" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = await Promise.all(requests.filter(({ url }) => url.endsWith("/sessions/extend")).map((request) => request.json()));
  expect(sent[0]).toMatchObject({ seconds: 7200, beyond_limits: false });
  expect(sent[1]).toEqual({ sessions: ["carolsession"], seconds: 7200, beyond_limits: true });
  expect(screen.getByText(/sessions? extended/)).toBeVisible();
});

it("sorts by how long they are idle, what is not known last", async () => {
  renderApp("/admin/sessions?sort=-idle");
  await screen.findByRole("row", { name: /carol/ });
  const byUse = (at: string | null) => (at === null ? Infinity : Date.parse(at));
  const wanted = everybodys().sort((a, b) => byUse(a.used_at) - byUse(b.used_at) || 0);
  expect(screen.getAllByRole("button", { name: /^Details of/ }).map((button) => button.textContent)).toEqual(wanted.map(({ name }) => name));
});

it("takes in what is new and lets go of what has ended", () => {
  const [first] = everybodys();
  if (first === undefined) throw new Error("no session in the mock");
  expect(mergeAnyones([], first, "active")).toEqual([first]);
  expect(mergeAnyones([], first, "ended")).toEqual([]);
  expect(mergeAnyones([first], { ...first, state: "ended" }, "active")).toEqual([]);
});
