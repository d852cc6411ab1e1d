import { expect, it } from "vitest";

import { gpuTypeLabel } from "./gpuType";

it.each([
  ["a100_1g.10gb", 10, "10 GB of an A100 (a100_1g.10gb)"],
  ["nvidia_a100_80gb_pcie_3g.40gb", 40, "40 GB of an A100 (nvidia_a100_80gb_pcie_3g.40gb)"],
  ["h100-2g.20gb", 20, "20 GB of an H100 (h100-2g.20gb)"],
  ["v100-1g.5gb", 5, "5 GB of a V100 (v100-1g.5gb)"],
  ["1g.10gb", 10, "10 GB of a GPU (1g.10gb)"],
  ["v100", 16, "V100, 16 GB or more"],
  ["gtx", null, "GTX"],
])("calls %s %s", (type, memory_gb, label) => {
  expect(gpuTypeLabel({ type, memory_gb })).toBe(label);
});
