// Lists of users and groups: hostile names stay text, a silent directory is reported, and a concurrent change to a
// limit is shown.
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";
import { World } from "../../../mock/world";

it("lists people, with names that are markup as the text they are, and finds them", async () => {
  const { container, user } = renderApp("/admin/people");
  const list = within(await screen.findByRole("region", { name: "Users" }));
  expect(list.getByText("<img src=x onerror=alert(1)>")).toBeVisible();
  expect(container.querySelector("img")).toBeNull();
  expect(within(list.getByRole("row", { name: /^admin/ })).getByText("Administrator")).toBeVisible();
  await user.type(screen.getByRole("searchbox", { name: "Filter users" }), "bob");
  expect(await screen.findByRole("row", { name: /^bob.*25.5.*16/ })).toBeVisible();
});

it("says of groups since when the directory has been silent", async () => {
  renderApp("/admin/people?view=groups");
  expect(await screen.findByText(/^The directory has not answered since/)).toBeVisible();
  expect(within(screen.getByRole("region", { name: "Groups" })).getByRole("row", { name: /^students/ })).toBeVisible();
});

it("shows what somebody else has set meanwhile, and writes over it only when told again", async () => {
  const world = new World();
  const { user, requests } = renderApp("/admin/people", { world });
  await user.click(await screen.findByRole("button", { name: "Change the limits of students" }));
  world.limitVersion += 1;
  const dialog = within(await screen.findByRole("dialog", { name: "Limits of students" }));
  await user.clear(dialog.getByRole("spinbutton", { name: "GPUs at once" }));
  await user.type(dialog.getByRole("spinbutton", { name: "GPUs at once" }), "7");
  await user.click(dialog.getByRole("button", { name: "Set" }));
  expect(await dialog.findByText(/^admin has set: 1 GPU at once/)).toBeVisible();
  expect(dialog.getByRole("spinbutton", { name: "GPUs at once" })).toHaveValue(7);
  await user.click(await dialog.findByRole("button", { name: "Set mine anyway" }));
  const seen = requests.filter(({ method }) => method === "PUT").map(({ headers }) => headers.get("if-match"));
  expect(seen).toEqual(['"3"', '"4"']);
});
