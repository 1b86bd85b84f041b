import { describe, expect, it } from "vitest";
import { magnitude } from "../../src/report/statistics/estimates/magnitude.ts";
import { consistency } from "../../src/report/statistics/estimates/consistency.ts";
import { describe as describeValues, mode } from "../../src/report/statistics/report/describe.ts";
import { flakiness, flakinessBand } from "../../src/report/statistics/groups/flakiness.ts";
import { compositeScore, letterGrade } from "../../src/report/statistics/compare/measure.ts";
import { zInterval } from "../../src/report/statistics/estimates/interval.ts";
import { populationVariance, sampleStdDev } from "../../src/report/statistics/samples/moments.ts";
import { benjaminiHochberg, bonferroni, holm } from "../../src/report/statistics/tests/multiple-testing.ts";
import { plugInPassAtK, plugInPassHatK } from "../../src/report/statistics/estimates/pass-at-k.ts";
import { nearestRankOfSorted, percentile } from "../../src/report/statistics/samples/quantiles.ts";
import {
  ablationImpact,
  assessTransition,
  costOfPass,
  sensitivity,
  smallest,
  uplift,
} from "../../src/report/statistics/report/value.ts";

describe("ProjectScylla, metrics formulas", () => {
  it("example 1: a run that passed with 0.85 for 0.50 USD", () => {
    const composite = compositeScore(1, 0.85);
    expect(composite).toBeCloseTo(0.925, 12);
    expect(letterGrade(composite ?? 0)).toBe("B");
    expect(costOfPass(0.5, 1)).toBe(0.5);
  });

  it("example 2: ten runs, eight passed", () => {
    const runs = describeValues([1, 1, 0, 1, 1, 1, 0, 1, 1, 1]);
    expect(runs).toMatchObject({ count: 10, median: 1, mean: 0.8, mode: 1, min: 0, max: 1 });
    expect(runs.stdDev).toBeCloseTo(0.4, 12);
  });

  it("example 3: uplift and variance over 0.70, 0.80, 0.85, 0.90", () => {
    expect([0.8, 0.85, 0.9].map((tier) => Number(uplift(tier, 0.7)?.toFixed(3)))).toEqual([
      0.143, 0.214, 0.286,
    ]);
    expect(populationVariance([0.7, 0.8, 0.85, 0.9])).toBeCloseTo(0.00547, 5);
    expect(uplift(0.9, 0.75)).toBeCloseTo(0.2, 12);
  });

  it("grades change exactly at their limits", () => {
    const scores = [1, 0.95, 0.9499, 0.85, 0.8499, 0.75, 0.7499, 0.65, 0.6499, 0];
    expect(scores.map(letterGrade).join("")).toBe("AABBCCDDFF");
  });

  it("mode: the smallest of several, after rounding to six decimals", () => {
    expect(mode([3, 1, 2, 3, 1])).toBe(1);
    expect(mode([0.1 + 0.2, 0.3, 0.5])).toBe(0.3);
    expect(mode([1e12 + 0.5, 1e12 + 0.5, 1])).toBe(1e12 + 0.5);
  });

  it("a composite without weight is unknown, not 0", () => {
    expect(compositeScore(1, 0.5, 0, 0)).toBeNull();
    expect(compositeScore(1, 0.5, 3, 1)).toBe(0.875);
  });

  it("cost of pass is unknown when nothing passed; uplift from 0 is", () => {
    expect(costOfPass(0.4, 0)).toBeNull();
    expect(costOfPass(1, 0.5)).toBe(2);
    expect(costOfPass(null, 0.5)).toBeNull();
    expect(uplift(0.5, 0)).toBeNull();
  });
});

describe("ProjectScylla, code", () => {
  it("frontier is the least cost of pass, groups that never passed aside", () => {
    const costs = [2.5, null, 1.75, null, 3.2];
    const keyed = costs.map((value, index) => ({ key: `T${index}`, value }));
    expect(smallest(keyed)).toEqual({ value: 1.75, key: "T2" });
    expect(smallest([{ key: "T0", value: null }])).toEqual({ value: null, key: null });
  });

  it("consistency: 1 without spread, clamped at 0, unknown at mean 0 and for one value", () => {
    expect(consistency([10, 10, 10])).toBe(1);
    expect(consistency([0, 0, 0, 10])).toBe(0);
    expect(consistency([8, 10, 12])).toBeCloseTo(0.8, 12);
    expect(consistency([0, 0])).toBeNull();
    expect(consistency([5])).toBeNull();
  });

  it("effect sizes by the limits 0.11, 0.28, 0.43", () => {
    expect([0, -0.1, 0.11, 0.27, -0.28, 0.42, 0.43, -1].map(magnitude)).toEqual([
      "negligible",
      "negligible",
      "small",
      "small",
      "medium",
      "medium",
      "large",
      "large",
    ]);
  });

  it("corrections for several tests", () => {
    expect(bonferroni([0.01, 0.5, 0.2])).toEqual([0.03, 1, expect.closeTo(0.6, 12)]);
    expect(holm([0.01, 0.04, 0.03, 0.5])).toEqual([0.04, 0.09, 0.09, 0.5]);
    expect(holm([0.01, 0.011])).toEqual([0.02, 0.02]);
    expect(benjaminiHochberg([0.01, 0.04, 0.03, 0.5]).map((p) => Number(p.toFixed(3)))).toEqual([
      0.04, 0.053, 0.053, 0.5,
    ]);
    expect(holm([])).toEqual([]);
  });

  it("sensitivity, transitions, ablation", () => {
    expect([0.049, 0.05, 0.149, 0.15].map(sensitivity)).toEqual(["low", "medium", "medium", "high"]);
    const base = { passRate: 0.5, quality: 0.5, cost: 1 };
    expect(assessTransition(base, { passRate: 0.8, quality: 0.7, cost: 1.4 }).worthwhile).toBe(true);
    expect(assessTransition(base, { passRate: 0.6, quality: 0.6, cost: 1.2 }).worthwhile).toBe(false);
    expect(assessTransition({ ...base, cost: 0 }, { ...base, cost: 3 }).costIncrease).toBe(0);
    expect([0.7, 0.85, 0.895].map((without) => ablationImpact(0.9, without))).toEqual([
      "critical",
      "contributing",
      "redundant",
    ]);
  });

  it("latency by nearest rank is always one of the values", () => {
    const values = [30, 10, 50, 20, 40];
    expect(
      [50, 95, 99, 0].map((p) =>
        nearestRankOfSorted(
          values.toSorted((a, b) => a - b),
          p,
        ),
      ),
    ).toEqual([30, 50, 50, 10]);
    expect(nearestRankOfSorted([], 50)).toBeNull();
  });
});

describe("EvalView, statistical mode", () => {
  const scores = [75, 76, 77, 78, 79, 80, 81, 82, 83, 84];

  it("mean, median, range", () => {
    expect(describeValues([70, 75, 80, 85, 90])).toMatchObject({ mean: 80, median: 80, min: 70, max: 90 });
  });

  it("percentiles of 1 to 100 by linear interpolation", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([25, 50, 75].map((p) => percentile(hundred, p))).toEqual([25.75, 50.5, 75.25]);
  });

  it("one value has no spread", () => {
    expect(describeValues([85])).toMatchObject({
      mean: 85,
      stdDev: 0,
      sampleStdDev: null,
      sampleVariance: null,
    });
    expect(zInterval([85], 0.95)).toEqual({ low: 85, high: 85 });
  });

  it("z-interval of the mean with the sample standard deviation", () => {
    const half = (1.959964 * (sampleStdDev(scores) ?? 0)) / Math.sqrt(10);
    expect(zInterval(scores, 0.95)?.low).toBeCloseTo(79.5 - half, 5);
    expect(zInterval(scores, 0.95)?.high).toBeCloseTo(79.5 + half, 5);
  });

  it("the manual's example: mean 79.86, deviation 2.97, ten runs: 78.02 to 81.70", () => {
    // Two values at mean ± s·√(9/10) and so on would do; any ten with these two moments give the same interval.
    const ten = [1, -1, 1, -1, 1, -1, 1, -1, 1, -1].map((sign) => 79.86 + sign * 2.97 * Math.sqrt(0.9));
    expect(sampleStdDev(ten)).toBeCloseTo(2.97, 10);
    expect(zInterval(ten, 0.95)?.low).toBeCloseTo(78.02, 2);
    expect(zInterval(ten, 0.95)?.high).toBeCloseTo(81.7, 2);
  });

  it("pass@k and pass^k from the observed rate", () => {
    expect(plugInPassAtK(0.7, 10)).toBeCloseTo(1 - 0.3 ** 10, 12);
    expect(plugInPassHatK(0.7, 10)).toBeCloseTo(0.028, 3);
    expect([plugInPassAtK(1, 3), plugInPassAtK(0, 3), plugInPassHatK(0, 3)]).toEqual([1, 0, 0]);
  });

  it("flakiness: all its parts by the formula", () => {
    const some = [90, 40, 85, 45, 80];
    const evidence = { passed: 3, failed: 2, scores: some, toolPatterns: ["a", "b", "a", "a", "c"] };
    const variation = (100 * (sampleStdDev(some) ?? 0)) / 68;
    const expected = 0.4 * 0.8 + 0.3 * Math.min(variation / 50, 1) + 0.2 * 1 + 0.1 * (2 / 4);
    expect(flakiness(evidence).score).toBeCloseTo(expected, 12);
  });

  it("ten equal passes are stable", () => {
    const evidence = {
      passed: 10,
      failed: 0,
      scores: Array.from({ length: 10 }, () => 85),
      toolPatterns: Array.from({ length: 10 }, () => "tool1"),
    };
    expect(flakiness(evidence)).toEqual({ score: 0, band: "stable" });
  });

  it("flakiness bands", () => {
    expect([0, 0.0999, 0.1, 0.25, 0.4999, 0.5, 0.75, 1].map(flakinessBand)).toEqual([
      "stable",
      "stable",
      "low_variance",
      "moderate_variance",
      "moderate_variance",
      "high_variance",
      "flaky",
      "flaky",
    ]);
  });

  it("parts without evidence are left out, not counted as stable", () => {
    const half = { passed: 2, failed: 2, scores: [], toolPatterns: [] };
    expect(flakiness(half)).toEqual({ score: 1, band: "flaky" });
    expect(flakiness({ ...half, toolPatterns: ["a", "a", "a", "a"] }).score).toBeCloseTo(0.8, 12);
    expect(flakiness({ ...half, passed: 1, failed: 0 })).toEqual({ score: null, band: null });
  });
});

describe("AgentCI, stability and judge audit", () => {
  it("two of three passed: pass@3 about 0.963, pass^3 about 0.296", () => {
    expect(plugInPassAtK(2 / 3, 3)).toBeCloseTo(0.963, 3);
    expect(plugInPassHatK(2 / 3, 3)).toBeCloseTo(0.296, 3);
  });
});
