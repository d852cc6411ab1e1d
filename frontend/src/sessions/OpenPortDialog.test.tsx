import { act, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { session } from "../../mock/sessions";

const PAGE = "/sessions/bertfinetune";
const usage = (ports: { port: number; process: string }[]) => ({
  at: new Date().toISOString(),
  cpu_percent: 1,
  memory_mib: 1,
  gpus: [],
  ports,
});
const listening = (ports: { port: number; process: string }[]) =>
  session({ id: "bertfinetune", name: "bert", ports_url: "/user/alice/bert/proxy-port/", usage: usage(ports) });

async function opened(ports: { port: number; process: string }[]) {
  const { user } = renderApp(PAGE);
  await screen.findByRole("button", { name: /More for/ });
  act(() => FakeEventSource.last("api/events").send("session", listening(ports)));
  await user.click(await screen.findByRole("button", { name: "More for bert" }));
  await user.click(await screen.findByRole("menuitem", { name: "Open a port…", hidden: true }));
  return { user, dialog: await screen.findByRole("dialog", { name: "Open a port of bert" }) };
}

it("lists the ports on which programs listen, as they come and go", async () => {
  const { dialog } = await opened([{ port: 8501, process: "streamlit" }]);
  const open = within(dialog).getByRole("button", { name: "Open port 8501" });
  expect(open).toHaveAttribute("href", "/user/alice/bert/proxy-port/8501/");
  expect(within(dialog).getByText("streamlit")).toBeVisible();
  act(() => FakeEventSource.last("api/events").send("session", listening([])));
  expect(await within(dialog).findByText(/No program of this session is listening/)).toBeVisible();
});

it("opens any other port by its number, within bounds", async () => {
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const { user, dialog } = await opened([]);
  const field = within(dialog).getByRole("textbox", { name: "Port" });
  await user.type(field, "80");
  expect(within(dialog).getByText("Enter a number from 1024 to 65535.")).toBeVisible();
  expect(within(dialog).getByRole("button", { name: "Open" })).toBeDisabled();
  await user.clear(field);
  await user.type(field, "8501{Enter}");
  expect(open).toHaveBeenCalledWith("/user/alice/bert/proxy-port/8501/", "_blank", "noopener");
});
