import { expect, it } from "vitest";

import { sessionUse } from "../../mock/usage";
import { lifeSummary, sessionLines } from "./lifeLines";

it("leaves a gap where a session was not sampled, and leaves out what nobody measured", () => {
  const [gpu, , power, cpu, memory] = sessionLines(sessionUse());
  expect(gpu?.lines[0]?.values).toEqual([0, 10, 20, null, 30, 40]);
  expect(power && lifeSummary(power)).toBe("GPU power: 280 W on average, 480 W at most.");
  expect(cpu?.lines[0]?.values[0]).toBe(1);
  expect(memory && lifeSummary(memory)).toBe("Memory: 6 GB on average, 10 GB at most.");
  const bare = sessionUse();
  bare.items = bare.items.map((one) => ({ ...one, gpu_percent: null }));
  expect(sessionLines(bare)).toHaveLength(4);
});
