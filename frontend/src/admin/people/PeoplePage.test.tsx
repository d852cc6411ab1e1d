// Limits: an empty field sets no limit, and names form a list.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { renderApp } from "~/test/render";

it("sets the limits of a group as they are written", async () => {
  const { user, requests } = renderApp("/admin/people");
  const section = within(await screen.findByRole("region", { name: "Limits" }));
  await user.click(section.getByRole("button", { name: "Set limits…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Set limits" }));
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "physics");
  await user.type(dialog.getByRole("spinbutton", { name: "GPUs at once" }), "0");
  await user.type(dialog.getByRole("spinbutton", { name: "Hours per session or job" }), "1.5");
  await user.type(dialog.getByRole("textbox", { name: "Partitions" }), "debug, sxm2");
  await user.type(dialog.getByRole("spinbutton", { name: "GPUs at once, all members" }), "12");
  await user.click(dialog.getByRole("button", { name: "Set" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = requests.find(({ method }) => method === "PUT");
  expect(sent?.url).toMatch(/admin\/limits\/group\/physics$/);
  expect(await sent?.json()).toEqual({
    max_gpus: 0,
    max_sessions: null,
    max_walltime_s: 5400,
    max_gpu_hours: null,
    partitions: ["debug", "sxm2"],
    gpu_types: null,
    group_max_gpus: 12,
    group_max_gpu_hours: null,
  });
});

it("shows what Slurm itself enforces", async () => {
  renderApp("/admin/people");
  const table = within(await screen.findByRole("table", { name: "What Slurm enforces" }));
  expect(table.getByText("GrpTRES=gres/gpu=32")).toBeVisible();
});
