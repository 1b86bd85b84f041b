import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tally } from "../../src/evaluate/judge/ask/ensemble.ts";
import { compileSchema } from "../../src/evaluate/rules/json-schema.ts";
import { reliabilityGate } from "../../src/report/statistics/groups/reliability.ts";
import { isAtLeast, isAtMost, isMultipleOf } from "../../src/support/structures/compare-limit.ts";

describe("a limit holds at equality, however the value was computed", () => {
  test("for every ratio of small numbers and its decimal text", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat({ max: 500 }), (whole, part) => {
        const ratio = part / whole;
        expect(isAtLeast((ratio + ratio + ratio) / 3, ratio)).toBe(true);
        expect(isAtMost(ratio * 3, ratio + ratio + ratio)).toBe(true);
        expect([isAtLeast(ratio, (part + 1) / whole), isAtMost((part + 1) / whole, ratio)]).toEqual([
          false,
          false,
        ]);
      }),
    );
  });

  test.each([
    [0.7 + 0.7 + 0.7, 2.1],
    [0.1 + 0.2, 0.3],
    [(3 * 0.7) / 3, 0.7],
    [1.1 * 3, 3.3],
    [0, 0],
  ])("%f and %f", (value, limit) => {
    expect([isAtLeast(value, limit), isAtMost(value, limit)]).toEqual([true, true]);
  });

  test.each([NaN, -Infinity])("%f reaches nothing", (value) => {
    expect(isAtLeast(value, 0)).toBe(false);
    expect(isAtMost(NaN, 0)).toBe(false);
  });
});

test("the mean of judges that reach the threshold each reaches it", () => {
  const ballot = { score: 0.7, label: "pass", confidence: 1 } as const;
  for (const strategy of ["majority_vote", "mean", "consensus", "median", "min", "max"] as const)
    expect(tally([ballot, ballot, ballot], strategy, 0.7).passed).toBe(true);
});

test("pass^k of a group reaches its limit", () => {
  // C(9,4)/C(14,4) = 126/1001.
  expect(reliabilityGate(9, 5, { minRuns: 1, passHatK: [{ k: 4, min: 126 / 1001 }] }).outcome).toBe("pass");
});

test.each([
  [0.3, 0.1, true],
  [1.1, 0.1, true],
  [19.99, 0.01, true],
  [4.35, 0.01, true],
  [1e15 + 1, 2, false],
  [0.35, 0.1, false],
  [19.999, 0.01, false],
  [0, 0.1, true],
  [-0.3, 0.1, true],
  [7, 3, false],
  [1e21, 7, false],
  [7e21, 7, true],
  [1e17, 0.3, false],
])("multipleOf: %f of %f: %s", (value, step, holds) => {
  expect(isMultipleOf(value, step)).toBe(holds);
  const drafts = ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"];
  for (const $schema of drafts) {
    const schema = compileSchema({ $schema, multipleOf: step });
    expect(schema.ok && schema.validate(value)).toEqual(
      holds ? [] : [{ path: "", message: `must be multiple of ${step}` }],
    );
  }
});
