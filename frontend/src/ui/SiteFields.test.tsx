import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";

import type { Options, Partition } from "~/api/types";
import { Providers, makeQueryClient } from "~/app/Providers";
import { SiteFields } from "./SiteFields";
import type { SiteAsked } from "./siteAsked";

const NOTHING: SiteAsked = { shards: 0, mps: 0, constraint: "", licenses: "", wckey: "", exclusive: false };
const OPTIONS = { licenses: [{ name: "matlab", total: 2, free: 1 }], wckeys: ["course", "thesis"] };
const SXM2 = {
  name: "sxm2",
  features: [
    { name: "nvme", nodes: 2 },
    { name: "ib", nodes: 1 },
  ],
  gpus: [{ type: "v100", shards_per_gpu: 4 }],
  whole_nodes: false,
};

function show({ options = OPTIONS as object, partition = SXM2 as object, asked = {} as Partial<SiteAsked>, problems = {} }) {
  const last = { value: { ...NOTHING, ...asked } };
  function Fields() {
    const [value, setValue] = useState(last.value);
    const change = (next: Partial<SiteAsked>) => setValue((before) => (last.value = { ...before, ...next }));
    return (
      <SiteFields options={options as Options} partition={partition as Partition} gpuType={null} value={value} problems={problems} change={change} />
    );
  }
  render(
    <Providers queries={makeQueryClient(() => undefined)}>
      <Fields />
    </Providers>,
  );
  return { asked: () => last.value, user: userEvent.setup() };
}

it("shows no field and no heading for what the site lacks", () => {
  show({ options: { licenses: [], wckeys: [] }, partition: { ...SXM2, features: [], gpus: [{ type: "v100", shards_per_gpu: 0 }] } });
  expect(screen.queryAllByRole("group")).toEqual([]);
  expect(screen.queryAllByRole("combobox")).toEqual([]);
  expect(screen.getAllByRole("switch")).toHaveLength(1); // a whole node can be asked for everywhere
});

it("writes features, licences and a WCKey as Slurm reads them", async () => {
  const { asked, user } = show({});
  await user.click(screen.getByRole("checkbox", { name: "nvme (2 nodes)" }));
  await user.click(screen.getByRole("checkbox", { name: "ib (1 node)" }));
  expect(asked().constraint).toBe("nvme&ib");
  await user.click(screen.getByRole("checkbox", { name: "nvme (2 nodes)" }));
  const matlab = screen.getByRole("textbox", { name: "matlab" });
  expect(matlab).toHaveAccessibleDescription("1 of 2 free");
  await user.clear(matlab);
  await user.type(matlab, "2");
  await user.selectOptions(screen.getByRole("combobox", { name: "WCKey" }), "thesis");
  expect(asked()).toEqual({ ...NOTHING, constraint: "ib", licenses: "matlab:2", wckey: "thesis" });
});

it("gives a part of a GPU or a whole node, never both", async () => {
  const { asked, user } = show({});
  const part = screen.getByRole("combobox", { name: "Part of a GPU" });
  expect(within(part).getAllByRole("option").map((option) => option.textContent)).toEqual([
    "whole GPUs",
    "1 of 4 shards of a GPU",
    "2 of 4 shards of a GPU",
    "3 of 4 shards of a GPU",
    "4 of 4 shards of a GPU",
  ]);
  await user.selectOptions(part, "1 of 4 shards of a GPU");
  await user.click(screen.getByRole("switch", { name: "Whole node" }));
  expect(asked()).toMatchObject({ shards: 0, exclusive: true });
  await user.selectOptions(part, "2 of 4 shards of a GPU");
  expect(asked()).toMatchObject({ shards: 2, exclusive: false });
});

it("offers percent of a GPU where Slurm counts a shared one in percent, and keeps another that was asked for", async () => {
  const { asked, user } = show({ partition: { ...SXM2, gpus: [{ type: "v100", shards_per_gpu: 1, mps_per_gpu: 100 }] }, asked: { mps: 33 } });
  const part = screen.getByRole("combobox", { name: "Part of a GPU" });
  expect(part).toHaveDisplayValue("33 % of a GPU");
  await user.selectOptions(part, "50 % of a GPU");
  expect(asked()).toMatchObject({ shards: 0, mps: 50 });
  await user.selectOptions(part, "1 of 1 shard of a GPU");
  expect(asked()).toMatchObject({ shards: 1, mps: 0 });
  await user.selectOptions(part, "25 % of a GPU");
  await user.click(screen.getByRole("switch", { name: "Whole node" }));
  expect(asked()).toMatchObject({ shards: 0, mps: 0, exclusive: true });
});

it("offers no percent where Slurm counts otherwise", () => {
  show({ partition: { ...SXM2, gpus: [{ type: "v100", shards_per_gpu: 0, mps_per_gpu: 50 }] } });
  expect(screen.queryByRole("combobox", { name: "Part of a GPU" })).toBeNull();
});

it("keeps what a link or a script asks for though the site has it not, so that it can be taken back", async () => {
  const gone = { constraint: "a100", licenses: "ansys:3", wckey: "old" };
  const { asked, user } = show({ options: { licenses: [], wckeys: [] }, partition: { ...SXM2, features: [] }, asked: gone });
  await user.click(screen.getByRole("checkbox", { name: "a100" }));
  await user.clear(screen.getByRole("textbox", { name: "ansys" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "WCKey" }), "");
  expect(asked()).toEqual(NOTHING);
});

it("says beside each field why it is refused", () => {
  show({ problems: { constraint: "No node has it.", licenses: "Too many.", wckey: "Not yours.", shards: "Not split." } });
  for (const text of ["No node has it.", "Too many.", "Not yours.", "Not split."]) expect(screen.getByText(text)).toBeVisible();
});

it("tells where Slurm gives whole nodes anyway", () => {
  show({ partition: { ...SXM2, whole_nodes: true } });
  const whole = screen.getByRole("switch", { name: "Whole node" });
  expect(whole).toBeChecked();
  expect(whole).toBeDisabled();
  expect(whole).toHaveAccessibleDescription("Slurm gives every job whole nodes on sxm2.");
});
