import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { leave } from "~/lib/leave";
import { renderApp } from "~/test/render";
import { templates } from "../../mock/templates";
import { choicesOf, shownOf } from "./gallery";

const openOf = (title: string) => screen.findByRole("button", { name: `Open in a session: ${title}` });

it("filters by framework, task and words, all of them in the address", async () => {
  const { user, router } = renderApp("/templates?q=digits");
  await openOf("Handwritten digits with Keras");
  await user.selectOptions(screen.getByRole("combobox", { name: "Framework" }), "PyTorch");
  expect(await openOf("Handwritten digits with a small network")).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Handwritten digits with Keras" })).toBeNull();
  expect(router.state.location.search).toBe("?q=digits&framework=PyTorch");
});

it("opens a notebook in a session that is ready", async () => {
  const to = vi.spyOn(leave, "to").mockImplementation(() => {});
  const { user } = renderApp("/templates");
  await user.click(await openOf("Handwritten digits with a small network"));
  await user.click(await screen.findByRole("button", { name: "Open here: bert-finetune" }));
  await waitFor(() => expect(to).toHaveBeenCalledWith("/user/alice/session/lab/tree/templates"));
});

it("fills the form of a new session for a notebook", async () => {
  const { user } = renderApp("/templates");
  await user.click(await openOf("Training on several GPUs of a node"));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole("button", { name: "New session" })).toHaveAttribute(
    "href",
    "/sessions/new?app=jupyterlab&environment=pytorch&gpus=2&template=pytorch-ddp",
  );
});

it("says when its environment has to be installed first", async () => {
  const { user } = renderApp("/templates");
  await user.click(await openOf("Handwritten digits with Keras"));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("TensorFlow is not installed here yet.")).toBeInTheDocument();
  expect(await dialog.findByRole("button", { name: "Install TensorFlow" })).toBeInTheDocument();
  expect(dialog.getByRole("button", { name: "Open here: bert-finetune" })).toBeDisabled();
});

it("says what was not run, and in which image it runs", async () => {
  const { user } = renderApp("/templates?framework=Torch+7");
  await user.click(await openOf("Handwritten digits with Torch 7"));
  expect(screen.getByText(/Not run here/)).toBeVisible();
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/This notebook runs in the image nvcr\.io\/nvidia\/torch:18\.08-py2\./)).toBeVisible();
  expect(dialog.getByRole("link", { name: "Pull an image" })).toHaveAttribute("href", "/environments?tab=catalogue");
  expect(dialog.getByRole("button", { name: "New session" })).toHaveAttribute("href", expect.not.stringContaining("environment="));
  expect(dialog.getByRole("button", { name: "Open here: bert-finetune" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await user.click(screen.getByRole("link", { name: "Handwritten digits with Torch 7" }));
  expect(await screen.findByText("Not run here: no registry was in reach.")).toBeVisible();
});

it("shows the whole notebook with its outputs, and none of its markup", async () => {
  const { user } = renderApp("/templates");
  await user.click(await screen.findByRole("link", { name: "Handwritten digits with a small network" }));
  expect(await screen.findByText("shows")).toBeVisible();
  expect(screen.getByRole("region", { name: "Code cell 1" })).toHaveTextContent("print(accuracy)");
  expect(screen.getByText("0.98")).toBeVisible();
  expect(screen.getByRole("img", { name: "Plot of code cell 1" })).toHaveAttribute("src", expect.stringMatching(/^data:image\/png/));
  expect(document.querySelector("main script")).toBeNull();
  await user.click(screen.getByRole("button", { name: /^Open in a session/ }));
  expect(await screen.findByRole("dialog")).toBeVisible();
});

it("says when there is no such template", async () => {
  renderApp("/templates/nothing");
  expect(await screen.findByRole("heading", { name: "Template not found" })).toBeVisible();
});

it("marks a changed copy that has a newer version, and shows the difference by cells", async () => {
  const { user, router } = renderApp("/templates");
  await user.click(await screen.findByRole("link", { name: "Newer version of Handwritten digits with a small network" }));
  const cell = await screen.findByRole("region", { name: "Changed cell (code)" });
  expect(cell).toHaveTextContent("yours: rate = 0.5");
  expect(cell).toHaveTextContent("new: rate = 0.001");
  expect(screen.getByText("2 cells are the same")).toBeVisible();
  expect(screen.getByRole("region", { name: "Only in yours (code)" })).toBeVisible();
  expect(router.state.location.search).toBe("?difference=1");
  await user.click(screen.getByRole("button", { name: "Hide the difference" }));
  expect(screen.queryByRole("region", { name: "Changed cell (code)" })).toBeNull();
});

it("keeps the changed copy, and asks no more", async () => {
  const { user } = renderApp("/templates/pytorch-digits");
  await user.click(await screen.findByRole("button", { name: "Keep mine" }));
  expect(await screen.findByText(/^Your copy is kept\./)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Keep mine" })).toBeNull());
});

it("replaces the changed copy and says where it is kept", async () => {
  const { user } = renderApp("/templates/pytorch-digits");
  await user.click(await screen.findByRole("button", { name: "Replace mine, keep a backup" }));
  expect(await screen.findByText(/yours is kept as templates\/pytorch-digits \(mine, 2026-11-21\)\.ipynb/)).toBeVisible();
});

it("opens the new version beside the changed copy, in a session that runs or in a new one", async () => {
  vi.spyOn(leave, "to").mockImplementation(() => {});
  const { user, requests } = renderApp("/templates/pytorch-digits");
  await user.click(await screen.findByRole("button", { name: "Open the new version alongside" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole("button", { name: "New session" }).getAttribute("href")).toContain("template=pytorch-digits&version=new");
  await user.click(dialog.getByRole("button", { name: "Open here: bert-finetune" }));
  const open = requests.find(({ url }) => url.endsWith("/templates/pytorch-digits/open"));
  expect(await open?.json()).toMatchObject({ version: "new" });
});

it("lists what runs here first, says what the others lack, and folds old frameworks away", async () => {
  const { user } = renderApp("/templates");
  const lacking = within(await screen.findByRole("region", { name: "Needs setup first" }));
  expect(lacking.getByText("Needs TensorFlow, which is not installed")).toBeVisible();
  expect(lacking.queryByRole("heading", { name: "Handwritten digits with a small network" })).toBeNull();
  expect(screen.getByRole("heading", { name: "Handwritten digits with a small network" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Handwritten digits with Torch 7" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Older frameworks Torch 7" }));
  expect(screen.getByText("Needs the image nvcr.io/nvidia/torch:18.08-py2")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Older frameworks" }));
  await user.type(screen.getByRole("searchbox", { name: "Filter templates" }), "torch 7");
  expect(await screen.findByRole("heading", { name: "Handwritten digits with Torch 7" })).toBeVisible();
});

it("keeps the gallery's order", () => {
  expect(choicesOf(templates, "framework")).toEqual(["scikit-learn", "PyTorch", "TensorFlow", "JAX", "Torch 7"]);
  expect(shownOf(templates, { q: "gpus NODE", framework: null, task: null }).map(({ id }) => id)).toEqual(["pytorch-ddp"]);
});
