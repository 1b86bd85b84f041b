import { describe, expect, it } from "vitest";
import { bcaInterval, meanEstimator, percentileInterval } from "../../src/statistics/bootstrap.ts";
import { chiSquareSurvival } from "../../src/statistics/chi-square.ts";
import { cliffsDelta } from "../../src/statistics/cliffs-delta.ts";
import { cohensKappa } from "../../src/statistics/cohens-kappa.ts";
import { describe as describeValues } from "../../src/statistics/describe.ts";
import { fisherExact } from "../../src/statistics/fisher.ts";
import { wilsonInterval } from "../../src/statistics/interval.ts";
import { krippendorffAlpha } from "../../src/statistics/krippendorff.ts";
import { kruskalWallis } from "../../src/statistics/kruskal-wallis.ts";
import { mannWhitney } from "../../src/statistics/mann-whitney.ts";
import { sampleVariance } from "../../src/statistics/moments.ts";
import { benjaminiHochberg, bonferroni, holm } from "../../src/statistics/multiple-testing.ts";
import { erfc, normalCdf, normalQuantile, normalSurvival } from "../../src/statistics/normal.ts";
import { passAtK, passHatK } from "../../src/statistics/pass-at-k.ts";
import { percentile } from "../../src/statistics/quantiles.ts";
import { slope } from "../../src/statistics/trend.ts";
import reference from "./reference.json" with { type: "json" };

/** Equal to a relative 1e-9; values near zero to an absolute 1e-12. */
function expectClose(actual: number | null | undefined, expected: number, what: unknown): void {
  const error = Math.abs((actual ?? Number.NaN) - expected);
  expect(
    error <= Math.max(1e-12, 1e-9 * Math.abs(expected)),
    `${actual}, not ${expected}: ${JSON.stringify(what)}`,
  ).toBe(true);
}

/** Equal to a relative 1e-9, however small: for tail probabilities. */
function expectSameTail(actual: number, expected: number, what: unknown): void {
  expect(actual / expected, JSON.stringify(what)).toBeCloseTo(1, 9);
}

function pair([x = Number.NaN, value = Number.NaN]: readonly number[]) {
  return { x, value };
}

describe("agrees with SciPy, statsmodels, scikit-learn and krippendorff to 1e-9", () => {
  it("normal distribution, far into both tails", () => {
    const { cdf, survival, erfc: complement, quantile } = reference.distributions;
    for (const { x, value } of cdf.map(pair)) expectSameTail(normalCdf(x), value, x);
    for (const { x, value } of survival.map(pair)) expectSameTail(normalSurvival(x), value, x);
    for (const { x, value } of complement.map(pair).filter(({ value }) => value > 1e-300)) {
      expectSameTail(erfc(x), value, x);
    }
    for (const { x, value } of quantile.map(pair)) expectClose(normalQuantile(x), value, x);
  });

  it("chi-square distribution", () => {
    for (const [x = 0, degrees = 0, p = 0] of reference.distributions.chi_square) {
      expectClose(chiSquareSurvival(x, degrees), p, [x, degrees]);
    }
  });

  it.each(reference.describe)("means, spreads and percentiles of $values.length values", (known) => {
    const ours = describeValues(known.values);
    expectClose(ours.mean, known.mean, "mean");
    expectClose(ours.median, known.median, "median");
    expectClose(ours.stdDev, known.population_std_dev, "population standard deviation");
    expectClose(ours.sampleStdDev, known.sample_std_dev, "sample standard deviation");
    expectClose(ours.sampleVariance, known.sample_variance, "sample variance");
    expectClose(slope(known.values), known.slope, "slope");
    for (const [p, value] of Object.entries(known.percentiles)) {
      expectClose(percentile(known.values, Number(p)), value, `percentile ${p}`);
    }
  });

  it("Wilson intervals", () => {
    for (const { passed, runs, confidence, low, high } of reference.wilson) {
      const ours = wilsonInterval(passed, runs, confidence);
      expectClose(ours?.low, low, [passed, runs, confidence]);
      expectClose(ours?.high, high, [passed, runs, confidence]);
    }
  });

  it("pass@k and pass^k against exact fractions, for up to 100,000 runs", () => {
    for (const { runs, passed, k, pass_at_k: at, pass_hat_k: hat } of reference.several_runs) {
      expectClose(passAtK(runs, passed, k), at, [runs, passed, k]);
      expectClose(passHatK(runs, passed, k), hat, [runs, passed, k]);
    }
  });

  it("Fisher's exact test", () => {
    for (const { table, p } of reference.fisher) {
      const [[a = 0, b = 0] = [], [c = 0, d = 0] = []] = table;
      expectSameTail(
        fisherExact([
          [a, b],
          [c, d],
        ]),
        p,
        table,
      );
    }
  });

  it("Mann–Whitney U, exact and asymptotic, and Cliff's delta", () => {
    const methods = new Set<string>();
    for (const { first, second, u, p, delta } of reference.two_samples) {
      const ours = mannWhitney(first, second);
      methods.add(ours?.method ?? "none");
      expectClose(ours?.u, u, [first.length, second.length]);
      expectSameTail(ours?.p ?? 0, p, { first, second });
      expectClose(cliffsDelta(first, second), delta, [first, second]);
    }
    expect([...methods].sort()).toEqual(["asymptotic", "exact"]);
  });

  it("Kruskal–Wallis H", () => {
    for (const { samples, h, p } of reference.many_samples) {
      const ours = kruskalWallis(samples);
      expectClose(ours?.h, h, samples.length);
      expectClose(ours?.p, p, samples.length);
    }
  });

  it("Holm, Benjamini–Hochberg and Bonferroni", () => {
    for (const known of reference.corrections) {
      for (const [index, p] of known.p.entries()) {
        expectClose(holm(known.p)[index], known.holm[index] ?? 0, p);
        expectClose(benjaminiHochberg(known.p)[index], known.fdr_bh[index] ?? 0, p);
        expectClose(bonferroni(known.p)[index], known.bonferroni[index] ?? 0, p);
      }
    }
  });

  it("Cohen's kappa", () => {
    for (const { first, second, kappa } of reference.kappa) {
      const pairs = first.map((label, index) => [label, second[index]] as const);
      expectClose(cohensKappa(pairs)?.kappa, kappa, first);
    }
  });

  it("Krippendorff's alpha on each level, with gaps", () => {
    for (const { units, ...levels } of reference.alpha) {
      expectClose(krippendorffAlpha(units, "nominal"), levels.nominal, "nominal");
      expectClose(krippendorffAlpha(units, "ordinal"), levels.ordinal, "ordinal");
      expectClose(krippendorffAlpha(units, "interval"), levels.interval, "interval");
    }
  });

  it("percentile and BCa intervals of given bootstrap estimates", () => {
    for (const { values, statistic, estimates, intervals } of reference.bootstrap) {
      const own = Float64Array.from(values);
      const of =
        statistic === "mean" ? meanEstimator.of : (some: Float64Array) => sampleVariance(some) ?? Number.NaN;
      const leaveOneOut = own.map((_, skip) => of(own.filter((_, index) => index !== skip)));
      for (const { confidence, method, low, high } of intervals) {
        const drawn = Float64Array.from(estimates);
        const ours =
          method === "bca"
            ? bcaInterval(drawn, of(own), leaveOneOut, confidence)
            : percentileInterval(drawn, confidence);
        expectClose(ours?.low, low, [statistic, method, confidence]);
        expectClose(ours?.high, high, [statistic, method, confidence]);
      }
    }
  });
});
