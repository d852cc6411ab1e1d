import { act, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { session } from "../../mock/sessions";
import { ahead } from "../../mock/units";
import { World } from "../../mock/world";

const PAGE = "/sessions/bertfinetune";
const usage = { at: new Date().toISOString(), cpu_percent: 1, memory_mib: 1, gpus: [], ports: [{ port: 8501, process: "streamlit" }] };

async function opened(world = new World()) {
  const view = renderApp(PAGE, { world });
  await screen.findByRole("button", { name: /More for/ });
  act(() => FakeEventSource.last("api/events").send("session", session({ id: "bertfinetune", name: "bert", usage })));
  await view.user.click(await screen.findByRole("button", { name: "More for bert" }));
  await view.user.click(await screen.findByRole("menuitem", { name: "Share…", hidden: true }));
  const dialog = await screen.findByRole("dialog", { name: "Share bert" });
  await within(dialog).findByLabelText("What");
  return { ...view, dialog };
}

it("shares a listening port with the people named, and ends it with one click", async () => {
  const { user, dialog, requests } = await opened();
  const share = within(dialog).getByRole("button", { name: "Share" });
  expect(within(dialog).getByText(/cannot be shared/)).toBeVisible();
  expect(within(dialog).getByRole("combobox", { name: "What" })).toHaveValue("8501");
  expect(share).toBeDisabled();
  await user.type(within(dialog).getByRole("textbox", { name: "People" }), "bob, carol");
  await user.click(share);
  expect(await within(dialog).findByText(/Shared\. It is on their/)).toBeVisible();
  const sent = requests.find(({ method, url }) => method === "POST" && url.endsWith("/shares"));
  expect(await sent?.json()).toEqual({ port: 8501, mode: "use", users: ["bob", "carol"], groups: [], hours: 1 });
  expect(within(dialog).getByText("bob")).toBeVisible();
  await user.click(within(dialog).getByRole("button", { name: "End the share with bob" }));
  await expect.poll(() => within(dialog).queryByText("bob")).toBeNull();
  expect(within(dialog).getByText("carol")).toBeVisible();
});

it("takes another port within bounds, for as long as chosen", async () => {
  const { user, dialog, requests } = await opened();
  await user.selectOptions(within(dialog).getByRole("combobox", { name: "What" }), "Another port");
  await user.type(within(dialog).getByRole("textbox", { name: "People" }), "bob");
  const port = within(dialog).getByRole("textbox", { name: "Port" });
  await user.type(port, "80");
  expect(within(dialog).getByText("Enter a number from 1024 to 65535.")).toBeVisible();
  expect(within(dialog).getByRole("button", { name: "Share" })).toBeDisabled();
  await user.clear(port);
  await user.type(port, "9000");
  await user.selectOptions(within(dialog).getByRole("combobox", { name: "For" }), "Until the session ends, 7 d at most");
  await user.click(within(dialog).getByRole("button", { name: "Share" }));
  await within(dialog).findByText(/Shared\. It is on their/);
  const sent = requests.find(({ method, url }) => method === "POST" && url.endsWith("/shares"));
  expect(await sent?.json()).toMatchObject({ port: 9000, hours: null });
});

it("lists what others share with me, and nothing if nobody does", async () => {
  const world = new World();
  world.shared = [{ id: 7, owner: "carol", session: "runs", app_title: "TensorBoard", port: null, mode: "use", ends_at: ahead(3600), link: "https://portal.example/services/portal/shared/7" }];
  renderApp("/", { world });
  const open = await screen.findByRole("button", { name: "Open carol's runs" });
  expect(open).toHaveAttribute("href", "https://portal.example/services/portal/shared/7");
  expect(screen.getByRole("heading", { name: "Shared with you" })).toBeVisible();
});

it("says that a desktop is shared to look at, and why", async () => {
  const world = new World();
  const mode_reason = "Whoever uses Desktop has your account, so guests only look.";
  world.shares = { ...world.shares, app: true, modes: ["look"], mode_reason, reason: "" };
  const { user, dialog } = await opened(world);
  expect(within(dialog).getByText(/They cannot type, click or use the clipboard\. Whoever uses Desktop has your account/)).toBeVisible();
  expect(within(dialog).queryByRole("combobox", { name: "They may" })).toBeNull();
  await user.selectOptions(within(dialog).getByRole("combobox", { name: "What" }), "8501");
  expect(within(dialog).getByText(/They use it as you.*They cannot only look/)).toBeVisible();
});

it("lets the owner choose between looking and using, and begins with looking", async () => {
  const world = new World();
  world.shares = { ...world.shares, app: true, modes: ["look", "use"], reason: "" };
  const { user, dialog, requests } = await opened(world);
  const mode = within(dialog).getByRole("combobox", { name: "They may" });
  expect(mode).toHaveValue("look");
  await user.selectOptions(mode, "Use it as you");
  expect(within(dialog).getByText(/your whole account/)).toBeVisible();
  await user.type(within(dialog).getByRole("textbox", { name: "People" }), "bob");
  await user.click(within(dialog).getByRole("button", { name: "Share" }));
  await within(dialog).findByText(/Shared\. It is on their/);
  const sent = requests.find(({ method, url }) => method === "POST" && url.endsWith("/shares"));
  expect(await sent?.json()).toMatchObject({ port: null, mode: "use" });
});

it("tells a guest who may only look", async () => {
  const world = new World();
  world.shared = [{ id: 8, owner: "carol", session: "cad", app_title: "Desktop", port: null, mode: "look", ends_at: ahead(3600), link: "https://portal.example/services/portal/shared/8" }];
  renderApp("/", { world });
  expect(await screen.findByText(/Desktop, view only/)).toBeVisible();
});

it("says that a share has ended, and leads home", async () => {
  renderApp("/shared/7");
  expect(await screen.findByRole("heading", { name: "This could not be opened" })).toBeVisible();
  expect(screen.getByText(/This share has ended/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Go to your sessions" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

it("makes a key for programs, shows it once, and ends it with one click", async () => {
  const { user, dialog, requests } = await opened();
  await user.selectOptions(within(dialog).getByRole("combobox", { name: "With" }), "A key, for programs");
  expect(within(dialog).queryByRole("textbox", { name: "People" })).toBeNull();
  expect(within(dialog).getByText(/without a login/)).toBeVisible();
  expect(within(dialog).getByRole("button", { name: "Share" })).toBeDisabled();
  await user.type(within(dialog).getByRole("textbox", { name: "Name of the key" }), "evaluation");
  await user.click(within(dialog).getByRole("button", { name: "Share" }));
  expect(await within(dialog).findByRole("textbox", { name: "Key" })).toHaveValue("dsp-mock");
  expect(within(dialog).getByText(/not shown again/)).toBeVisible();
  const sent = requests.find(({ method, url }) => method === "POST" && url.endsWith("/shares"));
  expect(await sent?.json()).toEqual({ port: 8501, mode: "use", key: "evaluation", hours: 1 });
  expect(within(dialog).getByText("Key “evaluation”")).toBeVisible();
  await user.click(within(dialog).getByRole("button", { name: "End the share with Key “evaluation”" }));
  await expect.poll(() => within(dialog).queryByText("Key “evaluation”")).toBeNull();
});

it("offers no key for what guests only look at", async () => {
  const world = new World();
  world.shares = { ...world.shares, app: true, modes: ["look"], mode_reason: "Guests only look.", reason: "" };
  const { user, dialog } = await opened(world);
  expect(within(dialog).queryByRole("combobox", { name: "With" })).toBeNull();
  await user.selectOptions(within(dialog).getByRole("combobox", { name: "What" }), "8501");
  expect(within(dialog).getByRole("combobox", { name: "With" })).toBeVisible();
});

it("offers no key where the site has none", async () => {
  const world = new World();
  world.shares = { ...world.shares, keys: false };
  const { dialog } = await opened(world);
  expect(within(dialog).getByRole("textbox", { name: "People" })).toBeVisible();
  expect(within(dialog).queryByRole("combobox", { name: "With" })).toBeNull();
});
