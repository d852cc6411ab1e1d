import { act, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { me } from "../../mock/site";

const row = async (title: RegExp) => (await screen.findByRole("heading", { name: title })).closest("li") as HTMLElement;

it("asks for an installation", async () => {
  const { user, requests } = renderApp("/environments");
  await user.click(await screen.findByRole("button", { name: "Install JAX" }));
  const posts = requests.filter(({ method }) => method === "POST").map(({ url }) => new URL(url).pathname);
  expect(posts).toEqual(["/services/portal/api/environments/jax/install"]);
});

it("follows an installation live, to its end", async () => {
  const { world } = renderApp("/environments");
  await screen.findByRole("button", { name: "Install JAX" });
  const stream = FakeEventSource.last("/events");
  const tell = (state: string, message: string, progress: number) =>
    act(() => stream.send("environment", { name: "jax", state, message, progress }));
  tell("installing", "Downloading jaxlib", 40);
  expect(await within(await row(/JAX/)).findByText("Downloading jaxlib")).toBeVisible();
  expect(within(await row(/JAX/)).getByRole("progressbar", { name: "Install JAX" })).toHaveAttribute("aria-valuenow", "40");
  world.environments = world.environments.map((environment) => (environment.name === "jax" ? { ...environment, state: "failed" as const } : environment));
  tell("failed", "No space left on the disk.", 40);
  expect(await within(await row(/JAX/)).findByText("Installation failed")).toBeVisible();
});

it("offers installing to administrators only", async () => {
  const { queries } = renderApp("/environments");
  await screen.findByRole("button", { name: "Install JAX" });
  act(() => void queries.setQueryData(["me"], { ...me, admin: false }));
  expect(within(await row(/JAX/)).getByText("Administrators can install it.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Install JAX" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Audit" })).toBeNull();
});
