import { expect, it } from "vitest";

import type { Partition } from "~/api/types";
import { featuresOf, licenseWords, licensesOf, mostShards, siteWords, writeLicenses } from "./siteAsked";

it("reads and writes licences as Slurm does, and drops those of none", () => {
  const counts = licensesOf("matlab:2,ansys@flex");
  expect([...counts]).toEqual([["matlab", 2], ["ansys@flex", 1]]);
  expect(writeLicenses(counts.set("matlab", 0))).toBe("ansys@flex:1");
  expect(writeLicenses(licensesOf(""))).toBe("");
});

it("reads the features that must all be there", () => {
  expect(featuresOf("a100&nvme")).toEqual(["a100", "nvme"]);
  expect(featuresOf("")).toEqual([]);
});

it("offers as many shards as the chosen type of GPU has", () => {
  const partition = { gpus: [{ type: "v100", shards_per_gpu: 2 }, { type: "a100", shards_per_gpu: 0 }] } as Partition;
  expect([null, "v100", "a100"].map((type) => mostShards(partition, type))).toEqual([2, 2, 0]);
  expect(mostShards(undefined, null)).toBe(0);
});

it("names what is asked for besides sizes", () => {
  const asked = { nodes: 1, exclusive: true, constraint: "a100&nvme", licenses: "matlab:2,ansys" };
  expect(siteWords(asked)).toEqual(["whole node", "a100", "nvme", "2 × matlab", "1 × ansys"]);
  expect(siteWords({ ...asked, nodes: 2, constraint: null, licenses: null })).toEqual(["whole nodes"]);
  expect(siteWords({ nodes: 1, exclusive: false })).toEqual([]);
  expect(licenseWords("ansys|matlab:2")).toEqual(["ansys|matlab:2"]);
});
