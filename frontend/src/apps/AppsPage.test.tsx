import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";

const card = async (title: string) => (await screen.findByRole("heading", { level: 2, name: title })).closest("li") as HTMLElement;

it("shows every app with where it comes from, and starts the form with one", async () => {
  const { user, router } = renderApp("/apps");
  const board = within(await card("TensorBoard"));
  expect(board.getByText("Look at results")).toBeVisible();
  expect(board.getByText("/cluster/environments/base")).toBeVisible();
  await user.click(board.getByRole("button", { name: "Start TensorBoard" }));
  await waitFor(() => expect(router.state.location.search).toBe("?app=tensorboard"));
});

it("says why an app cannot start, what would help, and does not offer it", async () => {
  renderApp("/apps");
  const digits = within(await card("DIGITS"));
  expect(digits.getByText(/has the program digits-devserver/)).toBeVisible();
  expect(digits.getByText(/\[apps\.digits\] environments/)).toBeVisible();
  expect(digits.getByRole("button", { name: "Start DIGITS" })).toBeDisabled();
});

it("filters by what an app is and where it comes from, and keeps that in the address", async () => {
  const { user, router } = renderApp("/apps");
  await card("DIGITS");
  await user.type(screen.getByRole("searchbox", { name: "Filter apps" }), "digits-dev");
  await waitFor(() => expect(screen.queryByRole("heading", { name: "JupyterLab" })).toBeNull());
  expect(await card("DIGITS")).toBeVisible();
  await waitFor(() => expect(router.state.location.search).toBe("?q=digits-dev"));
});
