import { assert, double, property } from "fast-check";
import { expect, test } from "vitest";
import { mapThreshold } from "../../src/evaluate/judge/reply/threshold.ts";

test.each([
  [0, 1],
  [0.2, 1],
  [0.5, 3],
  [0.7, 4],
  [0.8, 4],
  [0.9, 5],
  [1, 5],
])("AgentCI's table: a threshold of %f asks for a score of %i", (threshold, score) => {
  expect(mapThreshold(threshold)).toBe(score);
});

test("any threshold asks for a score that can be given, and a higher one for no lower score", () => {
  const share = double({ min: 0, max: 1, noNaN: true });
  assert(
    property(share, share, (a, b) => {
      expect([1, 2, 3, 4, 5]).toContain(mapThreshold(a));
      expect(mapThreshold(Math.max(a, b))).toBeGreaterThanOrEqual(mapThreshold(Math.min(a, b)));
    }),
  );
});
