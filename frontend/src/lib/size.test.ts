import { expect, it } from "vitest";

import { bytes, gb, gbToMib, megabytes, mib, mibToGb } from "./size";

it.each([
  [98_304, "96 GB"],
  [1536, "1.5 GB"],
  [100, "0.1 GB"],
  [384_000, "375 GB"],
  [38_297, "37.4 GB"],
])("says %d MiB as %s", (value, words) => expect(gb(value)).toBe(words));

it("keeps the exact value for hovering", () => expect(mib(98_304)).toBe("98,304 MiB"));

it("says download sizes in MB until they are GB", () => {
  expect(megabytes(420)).toBe("420 MB");
  expect(megabytes(1800)).toBe("1.8 GB");
});

it("says file sizes", () => {
  expect(bytes(4096)).toBe("4 KiB");
  expect(bytes(3_145_728)).toBe("3 MiB");
});

it("goes from MiB to the form's GB and back", () => expect(gbToMib(mibToGb(49_152))).toBe(49_152));
