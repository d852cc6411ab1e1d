import { expect, it } from "vitest";

import sizes from "./sizes.json";
import { bytes, gb, gbToMib, megabytes, mib, mibToGb } from "./size";

it.each(Object.entries(sizes))("says %s MiB as %s, as the portal's sentences do", (value, words) => expect(gb(Number(value))).toBe(words));

it("keeps the exact value for hovering", () => expect(mib(98_304)).toBe("98,304 MiB"));

it("says download sizes in MB until they are GB", () => {
  expect(megabytes(420)).toBe("420 MB");
  expect(megabytes(1800)).toBe("1.8 GB");
});

it("says file sizes", () => {
  expect([0, 1023, 4096, 1_048_575, 3_145_728, 3_221_225_472, 10 * 2 ** 40].map(bytes)).toEqual(["0 B", "1,023 B", "4 KB", "1 MB", "3 MB", "3 GB", "10,240 GB"]);
});

it.each([49_152, 1536, 1023, 50, 20, 1])("goes from %d MiB to the form's GB and back", (value) => expect(gbToMib(mibToGb(value))).toBe(value));

it("shows no more digits of less than a GB than its MiB need", () => {
  expect([410, 205, 300, 1].map(mibToGb)).toEqual([0.4, 0.2, 0.293, 0.001]);
});
