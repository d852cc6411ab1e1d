import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { act } from "@testing-library/react";
import { FakeEventSource } from "~/test/FakeEventSource";
import { renderApp } from "~/test/render";
import { catalogue } from "../../mock/images";
import { fits } from "./CatalogueTab";

const row = async (title: string) => (await screen.findByRole("heading", { level: 3, name: title })).closest("li") as HTMLElement;
const sent = (requests: Request[], method: string) => requests.filter((request) => request.method === method);

it("lists my images and the site's apart, with what each may do", async () => {
  const { user, router } = renderApp("/environments?tab=images");
  const mine = within(await screen.findByRole("region", { name: "Yours" }));
  expect(mine.getByText("nvcr.io/nvidia/pytorch:24.05-py3")).toBeVisible();
  expect(mine.getByText("The registry has no such tag.")).toBeVisible();
  const site = within(screen.getByRole("region", { name: "The site's" }));
  expect(site.getByRole("heading", { name: "R 4.5" })).toBeVisible();
  expect(site.queryByRole("button", { name: "Remove R 4.5" })).toBeNull();
  expect(screen.getByText(/84 GB free/)).toBeVisible();
  await user.click(within(await row("PyTorch 24.05-py3")).getByRole("button", { name: "Use in a new session" }));
  await waitFor(() => expect(router.state.location.search).toBe("?environment=image-pt2405"));
});

it("gets an image of the catalogue, and shows live how far it is", async () => {
  const { user, requests, world } = renderApp("/environments?tab=catalogue");
  await user.selectOptions(await screen.findByRole("combobox", { name: "Tag of PyTorch" }), "23.02-py3");
  await user.click(screen.getByRole("button", { name: "Pull PyTorch 23.02-py3" }));
  expect(await screen.findByText(/^Pulling/)).toBeVisible();
  expect(await sent(requests, "POST")[0]?.json()).toEqual({
    reference: "docker://nvcr.io/nvidia/pytorch:23.02-py3",
    title: "PyTorch 23.02-py3",
    scope: "user",
  });
  await user.click(screen.getByRole("link", { name: "see Images" }));
  const bar = within(await row("PyTorch 23.02-py3")).getByRole("progressbar", { name: "Pulling PyTorch 23.02-py3" });
  const stream = FakeEventSource.last("/events");
  act(() => stream.send("image", { id: "new1", state: "pulling", progress: 61, message: "Fetching: 61 of 70 MB" }));
  await waitFor(() => expect(bar).toHaveAttribute("aria-valuenow", "61"));
  expect(within(await row("PyTorch 23.02-py3")).getByRole("status")).toHaveTextContent("Fetching: 61 of 70 MB");
  world.images.items = world.images.items.map((image) => (image.id === "new1" ? { ...image, state: "ready" as const } : image));
  act(() => stream.send("image", { id: "new1", state: "ready", progress: 100, message: "" }));
  expect(await within(await row("PyTorch 23.02-py3")).findByText("Ready")).toBeVisible();
});

it("does not offer to get what is there", async () => {
  renderApp("/environments?tab=catalogue");
  expect(await screen.findByText(/You have it/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Pull PyTorch 24.05-py3" })).toBeDisabled();
});

it("finds a framework by its name, its image or a tag", () => {
  const image = (text: string) => catalogue.filter((image) => fits(image, text)).map(({ framework }) => framework);
  expect([image("torch"), image("20.03 CAFFE"), image("nvcr.io"), image("mxnet")]).toEqual([["pytorch"], ["caffe"], ["pytorch", "caffe"], []]);
});

it("asks before an image leaves the list, and says that its file stays", async () => {
  const { user, requests } = renderApp("/environments?tab=images");
  await user.click(within(await row("PyTorch 24.05-py3")).getByRole("button", { name: "Remove PyTorch 24.05-py3" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Remove PyTorch 24.05-py3?" }));
  expect(dialog.getByText(/is kept/)).toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByRole("heading", { name: "PyTorch 24.05-py3" })).toBeNull());
  expect(sent(requests, "DELETE").map(({ url }) => new URL(url).pathname)).toEqual(["/services/portal/api/images/pt2405"]);
});

it("registers a file", async () => {
  const { user, requests } = renderApp("/environments?tab=images");
  await user.click(await screen.findByRole("button", { name: "Register a file" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Register a file" }));
  await user.type(dialog.getByRole("textbox", { name: /Path/ }), "~/my.sif");
  await user.click(dialog.getByRole("button", { name: "Register" }));
  expect(await row("my.sif")).toBeVisible();
  expect(await sent(requests, "POST")[0]?.json()).toEqual({ path: "~/my.sif", scope: "user" });
});

it("registers a file that is chosen by browsing, without submitting the form meanwhile", async () => {
  const { user, requests } = renderApp("/environments?tab=images");
  await user.click(await screen.findByRole("button", { name: "Register a file" }));
  await user.type(screen.getByRole("textbox", { name: /Path/ }), "~/runs/");
  await user.click(screen.getByRole("button", { name: "Choose a file" }));
  const picker = within(await screen.findByRole("dialog", { name: "Choose a file" }));
  expect(picker.getByRole("textbox", { name: "Folder" })).toHaveValue("~/runs");
  await user.click(picker.getByRole("button", { name: "Go" }));
  await user.click(await picker.findByRole("button", { name: /^readme\.md/ }));
  expect(sent(requests, "POST")).toHaveLength(0);
  expect(screen.getByRole("textbox", { name: /Path/ })).toHaveValue("~/runs/readme.md");
});

it("stores the registry's key once, never shows it, and deletes it", async () => {
  const { user, requests } = renderApp("/environments?tab=images");
  const field = await screen.findByLabelText("API key");
  expect(field).toHaveAttribute("type", "password");
  await user.type(field, "wrong key");
  await user.click(screen.getByRole("button", { name: "Store" }));
  expect(await screen.findByText("The registry refused this key.")).toBeVisible();
  await user.clear(field);
  await user.type(field, "nvapi-123456");
  await user.click(screen.getByRole("button", { name: "Store" }));
  expect(await screen.findByText(/Your key is stored, encrypted/)).toBeVisible();
  expect(document.body.innerHTML).not.toContain("nvapi-123456");
  await user.click(screen.getByRole("button", { name: "Delete" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete the key?" }));
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  expect(await screen.findByLabelText("API key")).toBeVisible();
  expect(sent(requests, "DELETE")).toHaveLength(1);
});

it("leads to the catalogue while there are no images", async () => {
  renderApp("/environments?tab=images", { scene: "empty" });
  expect(await screen.findByText("You have no images yet.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Pull an image" })).toHaveAttribute("href", "/environments?tab=catalogue");
});
