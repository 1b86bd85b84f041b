import { describe, expect, it } from "vitest";
import { cohensKappa, confusionOf } from "../../src/evaluate/judge/audit/audit.ts";
import { bcaInterval, percentileInterval } from "../../src/report/statistics/estimates/bootstrap.ts";
import { chiSquareSurvival, kruskalWallis } from "../../src/report/statistics/tests/rank-tests.ts";
import { describe as describeValues } from "../../src/report/statistics/report/describe.ts";
import { fisherExact, type TwoByTwo } from "../../src/report/statistics/tests/fisher.ts";
import { wilsonInterval } from "../../src/report/statistics/estimates/interval.ts";
import { krippendorffAlpha } from "../../src/report/statistics/estimates/krippendorff.ts";
import { mannWhitney } from "../../src/report/statistics/tests/mann-whitney.ts";
import { mean, sampleVariance } from "../../src/report/statistics/samples/moments.ts";
import { benjaminiHochberg, bonferroni, holm } from "../../src/report/statistics/tests/multiple-testing.ts";
import { erfc, normalCdf, normalQuantile, normalSurvival } from "../../src/report/statistics/tests/normal.ts";
import { passAtK, passHatK } from "../../src/report/statistics/estimates/pass-at-k.ts";
import { percentile } from "../../src/report/statistics/samples/quantiles.ts";
import reference from "./reference.json" with { type: "json" };

/** Collects what differs from the reference. */
function comparison() {
  const wrong: string[] = [];
  return {
    wrong,
    /** Equal to a relative 1e-9; values near zero to an absolute 1e-12. */
    close(actual: number | null | undefined, expected: number, what: unknown): void {
      const error = Math.abs((actual ?? Number.NaN) - expected);
      const fine = error <= Math.max(1e-12, 1e-9 * Math.abs(expected));
      if (!fine) wrong.push(`${actual}, not ${expected}: ${JSON.stringify(what)}`);
    },
    /** Equal to a relative 1e-9 however small, as tail probabilities should be. */
    tail(actual: number | undefined, expected: number, what: unknown): void {
      const fine = Math.abs((actual ?? Number.NaN) / expected - 1) <= 1e-9;
      if (!fine) wrong.push(`${actual}, not ${expected}: ${JSON.stringify(what)}`);
    },
  };
}

function pair([x = Number.NaN, value = Number.NaN]: readonly number[]) {
  return { x, value };
}

describe("agrees with SciPy, statsmodels, scikit-learn and krippendorff to 1e-9", () => {
  it("normal distribution, far into both tails", () => {
    const is = comparison();
    const { cdf, survival, erfc: complement, quantile } = reference.distributions;
    for (const { x, value } of cdf.map(pair)) is.tail(normalCdf(x), value, x);
    for (const { x, value } of survival.map(pair)) is.tail(normalSurvival(x), value, x);
    for (const { x, value } of complement.map(pair).filter(({ value }) => value > 1e-300)) {
      is.tail(erfc(x), value, x);
    }
    for (const { x, value } of quantile.map(pair)) is.close(normalQuantile(x), value, x);
    expect(is.wrong).toEqual([]);
  });

  it("chi-square distribution", () => {
    const is = comparison();
    for (const [x = 0, degrees = 0, p = 0] of reference.distributions.chi_square) {
      is.close(chiSquareSurvival(x, degrees), p, [x, degrees]);
    }
    expect(is.wrong).toEqual([]);
  });

  it.each(reference.describe)("means, spreads and percentiles of $values.length values", (known) => {
    const is = comparison();
    const ours = describeValues(known.values);
    is.close(ours.mean, known.mean, "mean");
    is.close(ours.median, known.median, "median");
    is.close(ours.stdDev, known.population_std_dev, "population standard deviation");
    is.close(ours.sampleStdDev, known.sample_std_dev, "sample standard deviation");
    is.close(ours.sampleVariance, known.sample_variance, "sample variance");
    for (const [p, value] of Object.entries(known.percentiles)) {
      is.close(percentile(known.values, Number(p)), value, `percentile ${p}`);
    }
    expect(is.wrong).toEqual([]);
  });

  it("Wilson intervals", () => {
    const is = comparison();
    for (const { passed, runs, confidence, low, high } of reference.wilson) {
      const ours = wilsonInterval(passed, runs, confidence);
      is.close(ours?.low, low, [passed, runs, confidence]);
      is.close(ours?.high, high, [passed, runs, confidence]);
    }
    expect(is.wrong).toEqual([]);
  });

  it("pass@k and pass^k against exact fractions, for up to 100,000 runs", () => {
    const is = comparison();
    for (const { runs, passed, k, pass_at_k: at, pass_hat_k: hat } of reference.several_runs) {
      is.close(passAtK(runs, passed, k), at, [runs, passed, k]);
      is.close(passHatK(runs, passed, k), hat, [runs, passed, k]);
    }
    expect(is.wrong).toEqual([]);
  });

  it("Fisher's exact test", () => {
    const is = comparison();
    for (const { table, p } of reference.fisher) {
      is.tail(fisherExact(table as unknown as TwoByTwo), p, table);
    }
    expect(is.wrong).toEqual([]);
  });

  it("Mann–Whitney U, exact and asymptotic", () => {
    const is = comparison();
    const methods = new Set<string>();
    for (const { first, second, u, p } of reference.two_samples) {
      const ours = mannWhitney(first, second);
      methods.add(ours?.method ?? "none");
      is.close(ours?.u, u, [first.length, second.length]);
      is.tail(ours?.p, p, { first, second });
    }
    expect([...methods].sort()).toEqual(["asymptotic", "exact"]);
    expect(is.wrong).toEqual([]);
  });

  it("Kruskal–Wallis H", () => {
    const is = comparison();
    for (const { samples, h, p } of reference.many_samples) {
      const ours = kruskalWallis(samples);
      is.close(ours?.h, h, samples.length);
      is.close(ours?.p, p, samples.length);
    }
    expect(is.wrong).toEqual([]);
  });

  it("Holm, Benjamini–Hochberg and Bonferroni", () => {
    const is = comparison();
    for (const known of reference.corrections) {
      for (const [index, p] of known.p.entries()) {
        is.close(holm(known.p)[index], known.holm[index] ?? 0, p);
        is.close(benjaminiHochberg(known.p)[index], known.fdr_bh[index] ?? 0, p);
        is.close(bonferroni(known.p)[index], known.bonferroni[index] ?? 0, p);
      }
    }
    expect(is.wrong).toEqual([]);
  });

  it("Cohen's kappa of pass and fail", () => {
    const is = comparison();
    const passed = (label: unknown) => (label === reference.kappa[0]?.first[0] ? "pass" : "fail");
    const binary = reference.kappa.filter(({ first, second }) => new Set([...first, ...second]).size === 2);
    for (const { first, second, kappa } of binary) {
      const pairs = first.map((label, index) => [passed(label), passed(second[index])] as const);
      is.close(cohensKappa(confusionOf(pairs)), kappa, first);
    }
    expect(binary.length).toBeGreaterThan(1);
    expect(is.wrong).toEqual([]);
  });

  it("Krippendorff's alpha on each level, with gaps", () => {
    const is = comparison();
    for (const { units, ...levels } of reference.alpha) {
      is.close(krippendorffAlpha(units, "nominal"), levels.nominal, "nominal");
      is.close(krippendorffAlpha(units, "ordinal"), levels.ordinal, "ordinal");
      is.close(krippendorffAlpha(units, "interval"), levels.interval, "interval");
    }
    expect(is.wrong).toEqual([]);
  });

  it("percentile and BCa intervals of given bootstrap estimates", () => {
    const is = comparison();
    for (const { values, statistic, estimates, intervals } of reference.bootstrap) {
      const own = Float64Array.from(values);
      const of = (some: Float64Array) =>
        (statistic === "mean" ? mean(some) : sampleVariance(some)) ?? Number.NaN;
      const leaveOneOut = own.map((_, skip) => of(own.filter((_, index) => index !== skip)));
      for (const { confidence, method, low, high } of intervals) {
        const drawn = Float64Array.from(estimates);
        const ours =
          method === "bca"
            ? bcaInterval(drawn, of(own), leaveOneOut, confidence)
            : percentileInterval(drawn, confidence);
        is.close(ours?.low, low, [statistic, method, confidence]);
        is.close(ours?.high, high, [statistic, method, confidence]);
      }
    }
    expect(is.wrong).toEqual([]);
  });
});
