import { expect, it } from "vitest";

import { strings } from "./en";

it.each([
  [1, "1st of 9 in the queue"],
  [2, "2nd of 9 in the queue"],
  [3, "3rd of 9 in the queue"],
  [4, "4th of 9 in the queue"],
  [11, "11th of 9 in the queue"],
  [22, "22nd of 9 in the queue"],
  [113, "113th of 9 in the queue"],
])("counts place %d", (place, words) => expect(strings.sessions.place(place, 9)).toBe(words));

it("counts GPUs as people do", () => {
  expect(strings.launch.gpuLimit(1, 0)).toBe("You may use 1 GPU at once; none is in use.");
  expect(strings.launch.gpuLimit(8, 1)).toBe("You may use 8 GPUs at once; 1 is in use.");
  expect(strings.launch.gpuLimitReached(1)).toBe("Your one GPU is in use: stop a session to free it.");
  expect(strings.launch.sessionsLimit(1, 1)).toBe("1 of your 1 session is in use.");
  expect(strings.cluster.node.cores(0, 1)).toBe("0 of 1 core in use");
  expect(strings.launch.gpuLimit(8, 3)).toBe("You may use 8 GPUs at once; 3 are in use.");
});
