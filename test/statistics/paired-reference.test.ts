import { describe, expect, it, test } from "vitest";
import { clusteredError } from "../../src/report/statistics/estimates/clustered.ts";
import { friedman } from "../../src/report/statistics/tests/rank-tests.ts";
import type { TwoByTwo } from "../../src/report/statistics/tests/fisher.ts";
import { mean } from "../../src/report/statistics/samples/moments.ts";
import { signedRankTest, typicalDifference } from "../../src/report/statistics/tests/signed-rank.ts";
import { stratifiedFisher } from "../../src/report/statistics/tests/stratified-fisher.ts";
import { stratifiedRankSum, typicalShift } from "../../src/report/statistics/tests/stratified-rank-sum.ts";
import { twoSidedT } from "../../src/report/statistics/tests/student-t.ts";
import reference from "./paired-reference.json" with { type: "json" };

/** `make-paired-reference.py` prints paired-reference.json: results of SciPy and statsmodels on drawn values. */

/** Equal to a relative 1e-9; values near zero to an absolute 1e-12. */
function close(expected: number): unknown {
  return {
    asymmetricMatch: (actual: unknown) =>
      typeof actual === "number" && Math.abs(actual - expected) <= Math.max(1e-12, 1e-9 * Math.abs(expected)),
    toString: () => `within 1e-9 of ${expected}`,
  };
}

function intervalOf(bounds: readonly number[] | null): unknown {
  return bounds === null
    ? null
    : { low: close(bounds[0] ?? Number.NaN), high: close(bounds[1] ?? Number.NaN) };
}

describe("agrees with SciPy and statsmodels to 1e-9", () => {
  it.each(reference.student_t)("Student's t, %i degrees, confidence %f", (degrees, confidence, t) => {
    expect(twoSidedT(confidence, degrees)).toEqual(close(t));
  });

  it.each(reference.signed_rank.map((one) => ({ ...one, n: one.differences.length })))(
    "signed ranks of $n differences, p = $p",
    ({ differences, p, estimate, interval }) => {
      expect(signedRankTest(differences)?.p).toEqual(close(p));
      expect(typicalDifference(differences, 0.95)).toEqual({
        estimate: close(estimate),
        interval: intervalOf(interval),
      });
    },
  );

  it.each(reference.stratified_rank_sum)(
    "two samples in strata, p = $p",
    ({ strata, p, estimate, interval }) => {
      const samples = strata.map(([first = [], second = []]) => ({ first, second }));
      expect(stratifiedRankSum(samples)?.p).toEqual(close(p));
      expect(typicalShift(samples, 0.95)).toEqual({
        estimate: close(estimate),
        interval: intervalOf(interval),
      });
    },
  );

  it.each(reference.stratified_fisher)("tables in strata, p = $p", ({ tables, p, difference }) => {
    expect(stratifiedFisher(tables as unknown as TwoByTwo[])).toEqual({
      p: close(p),
      difference: close(difference),
    });
  });

  it.each(reference.clustered)(
    "clustered errors, confidence $confidence, standard error $error",
    ({ clusters, confidence, error, low, high, mean: centre }) => {
      expect(mean(clusters.flat())).toEqual(close(centre));
      expect(clusteredError(clusters, confidence)).toEqual({
        clusters: clusters.length,
        standardError: close(error),
        low: close(low),
        high: close(high),
      });
    },
  );

  it.each(reference.friedman)("blocks of four groups, p = $p", ({ blocks, p, statistic }) => {
    expect(friedman(blocks)).toEqual({ statistic: close(statistic), degrees: 3, p: close(p) });
  });
});

test("nothing to compare is null, nothing that differs has p = 1", () => {
  expect(signedRankTest([])).toBeNull();
  expect(typicalDifference([], 0.95)).toBeNull();
  expect(signedRankTest([0, 0, 0])?.p).toBe(1);
  expect(stratifiedRankSum([{ first: [1], second: [] }])).toBeNull();
  expect(stratifiedRankSum([{ first: [1, 1], second: [1, 1] }])?.p).toBe(1);
  expect(
    stratifiedFisher([
      [
        [0, 0],
        [1, 1],
      ],
    ]),
  ).toBeNull();
  expect(clusteredError([[1, 2, 3]], 0.95)).toBeNull();
  expect(friedman([[1, 2]])).toBeNull();
});

test("an interval that so few values cannot give is null", () => {
  expect(typicalDifference([1, 2, 3, 4, 5], 0.95)?.interval).toBeNull();
  expect(typicalDifference([1, 2, 3, 4, 5, 6], 0.95)?.interval).toEqual({ low: 1, high: 6 });
  expect(typicalShift([{ first: [4, 5, 6], second: [1, 2, 3] }], 0.95)?.interval).toBeNull();
});
