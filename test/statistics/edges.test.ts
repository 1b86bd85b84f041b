import { expect, it } from "vitest";
import { bootstrapInterval } from "../../src/report/statistics/estimates/bootstrap.ts";
import { wilsonInterval, zInterval } from "../../src/report/statistics/estimates/interval.ts";
import { krippendorffAlpha } from "../../src/report/statistics/estimates/krippendorff.ts";
import { passAtK, passHatK } from "../../src/report/statistics/estimates/pass-at-k.ts";
import { describe as describeValues } from "../../src/report/statistics/report/describe.ts";
import { ablationImpact, assessTransition } from "../../src/report/statistics/report/value.ts";
import { nearestRankOfSorted, percentile } from "../../src/report/statistics/samples/quantiles.ts";
import { fisherExact } from "../../src/report/statistics/tests/fisher.ts";
import { mannWhitney } from "../../src/report/statistics/tests/mann-whitney.ts";
import { normalQuantile, twoSidedZ } from "../../src/report/statistics/tests/normal.ts";
import { kruskalWallis } from "../../src/report/statistics/tests/rank-tests.ts";

/* What the references of other libraries do not have: nothing to compute from, and what is refused. */

const row = (a: number, b: number) => [a, b] as const;
const options = { confidence: 0.95, resamples: 100, seed: 7 };

it("where nothing can be computed it is unknown, not 0", () => {
  const { count, ...rest } = describeValues([]);
  expect(count).toBe(0);
  expect(Object.values(rest).every((value) => value === null)).toBe(true);
  expect([
    wilsonInterval(0, 0, 0.95),
    zInterval([], 0.9),
    bootstrapInterval([4], options),
    passAtK(3, 2, 4),
    passHatK(3, 2, 4),
    mannWhitney([], [1]),
    kruskalWallis([[1, 2], []]),
    krippendorffAlpha([[1, null], [2]], "nominal"),
    krippendorffAlpha([[2, 2]], "nominal"),
  ]).toEqual(Array(9).fill(null));
});

it("equal values have no spread and no difference", () => {
  expect(describeValues([4, 4, 4])).toMatchObject({ mean: 4, stdDev: 0, sampleVariance: 0 });
  expect(bootstrapInterval([4, 4, 4], options)).toEqual({ low: 4, high: 4 });
  expect(mannWhitney([2, 2, 2], [2, 2])).toMatchObject({ p: 1 });
  expect(kruskalWallis([[3, 3], [3], [3]])).toMatchObject({ h: 0, p: 1 });
  const raters = [1, 3].map((rating) => [rating, rating, rating === 1 ? null : rating]);
  expect(krippendorffAlpha(raters, "ordinal")).toBe(1);
});

it.each<[string, () => unknown, string]>([
  ["a percentile", () => percentile([1], 101), "a percentile must lie between 0 and 100, got 101"],
  ["a rank", () => nearestRankOfSorted([1], Number.NaN), "got NaN"],
  ["a probability", () => normalQuantile(0), "got 0"],
  ["a confidence", () => twoSidedZ(95), "such as 0.95, got 95"],
  ["successes", () => wilsonInterval(3, 2, 0.95), "successes must lie between 0 and 2 trials, got 3"],
  ["passes", () => passAtK(3, 4, 1), "got 4 of 3 runs, k = 1"],
  ["k", () => passHatK(3, 2, 0), "k ≥ 1"],
  ["counts", () => fisherExact([row(1, 2), row(-1, 0.5)]), "counts must be whole"],
])("%s that cannot be is refused, with the value", (_, compute, message) => {
  expect(compute).toThrow(message);
});

it("a bootstrap is the same for the same seed, and differs for another", () => {
  const values = [0.5, 3, 2.25, 8, 1, 1, 7.5];
  const of = (seed: number) => bootstrapInterval(values, { ...options, seed });
  expect(of(7)).toEqual(of(7));
  expect(of(8)).not.toEqual(of(7));
});

it("a group without cost has no increase; what a part of an agent is worth has limits", () => {
  const base = { passRate: 0.5, quality: 0.5, cost: 0 };
  expect(assessTransition(base, { ...base, cost: 3 }).costIncrease).toBe(0);
  expect([0.7, 0.85, 0.895].map((without) => ablationImpact(0.9, without))).toEqual([
    "critical",
    "contributing",
    "redundant",
  ]);
});
