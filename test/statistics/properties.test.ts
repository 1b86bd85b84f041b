import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bootstrapInterval, meanEstimator } from "../../src/report/statistics/estimates/bootstrap.ts";
import { describe as describeValues } from "../../src/report/statistics/report/describe.ts";
import { fisherExact } from "../../src/report/statistics/tests/fisher.ts";
import { flakiness } from "../../src/report/statistics/groups/flakiness.ts";
import { wilsonInterval, zInterval } from "../../src/report/statistics/estimates/interval.ts";
import { krippendorffAlpha } from "../../src/report/statistics/estimates/krippendorff.ts";
import { kruskalWallis } from "../../src/report/statistics/tests/rank-tests.ts";
import { mannWhitney } from "../../src/report/statistics/tests/mann-whitney.ts";
import { benjaminiHochberg, bonferroni, holm } from "../../src/report/statistics/tests/multiple-testing.ts";
import { normalCdf, normalQuantile, twoSidedZ } from "../../src/report/statistics/tests/normal.ts";
import { passAtK, passHatK } from "../../src/report/statistics/estimates/pass-at-k.ts";
import { nearestRankOfSorted, percentile } from "../../src/report/statistics/samples/quantiles.ts";
import { createRandom } from "../../src/report/statistics/samples/random.ts";

const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
const numbers = fc.array(number, { minLength: 1, maxLength: 40 });
/** Few different values, so that ties are common. */
const tied = fc.array(fc.nat(5), { minLength: 1, maxLength: 20 });
const probability = fc.double({ min: 0, max: 1, noNaN: true });
const confidence = fc.double({ min: 0.5, max: 0.999, noNaN: true });

const shuffled = <Value>(values: readonly Value[], seed: number): Value[] => {
  const random = createRandom(seed);
  return values
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
};

describe("descriptions", () => {
  it("do not depend on the order of the values, to the last bit", () => {
    fc.assert(
      fc.property(numbers, fc.nat(), (values, seed) => {
        expect(describeValues(shuffled(values, seed))).toEqual(describeValues(values));
      }),
    );
  });

  it("order themselves: min ≤ p25 ≤ median ≤ p75 ≤ p95 ≤ p99 ≤ max, the mean between min and max", () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const { min, p25, median, p75, p95, p99, max, mean } = describeValues(values);
        const ordered = [min, p25, median, p75, p95, p99, max].map((value) => value ?? Number.NaN);
        expect(
          ordered.every((value, index) => index === 0 || value >= (ordered[index - 1] ?? Infinity)),
        ).toBe(true);
        expect(mean).toBeGreaterThanOrEqual(min ?? Infinity);
        expect(mean).toBeLessThanOrEqual(max ?? -Infinity);
      }),
    );
  });

  it("equal values have no spread at all", () => {
    fc.assert(
      fc.property(number, fc.integer({ min: 2, max: 50 }), (value, count) => {
        const { mean, stdDev, sampleVariance } = describeValues(Array.from({ length: count }, () => value));
        expect({ mean, stdDev, sampleVariance }).toEqual({ mean: value, stdDev: 0, sampleVariance: 0 });
      }),
    );
  });

  it("nothing is unknown throughout, not 0", () => {
    const { count, ...rest } = describeValues([]);
    expect(count).toBe(0);
    expect(Object.values(rest).every((value) => value === null)).toBe(true);
  });

  it("percentiles rise with p, and the nearest rank is a value", () => {
    fc.assert(
      fc.property(numbers, fc.nat(100), fc.nat(100), (values, p, q) => {
        const [low, high] = [Math.min(p, q), Math.max(p, q)];
        expect(percentile(values, low)).toBeLessThanOrEqual(percentile(values, high) ?? -Infinity);
        expect(values).toContain(
          nearestRankOfSorted(
            values.toSorted((a, b) => a - b),
            p,
          ),
        );
      }),
    );
  });

  it("refuse a percentile that is none", () => {
    expect(() => percentile([1], 101)).toThrow("a percentile must lie between 0 and 100, got 101");
    expect(() => nearestRankOfSorted([1], Number.NaN)).toThrow("got NaN");
  });
});

describe("normal distribution", () => {
  it("quantile and distribution undo one another, and are symmetric", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 0.5, noNaN: true }), (p) => {
        expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 12);
        expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 3);
      }),
    );
  });

  it("refuses what is no probability and no confidence, with the value", () => {
    expect(() => normalQuantile(0)).toThrow("got 0");
    expect(() => twoSidedZ(95)).toThrow("such as 0.95, got 95");
  });
});

describe("intervals", () => {
  const counts = fc.nat(500).chain((runs) => fc.tuple(fc.nat(runs), fc.constant(runs)));

  it("Wilson: within [0, 1], contains the rate, grows with the confidence, mirrors passes and failures", () => {
    fc.assert(
      fc.property(counts, confidence, ([passed, runs], level) => {
        fc.pre(runs > 0);
        const interval = wilsonInterval(passed, runs, level) ?? { low: 2, high: -1 };
        const rate = passed / runs;
        expect(interval.low).toBeGreaterThanOrEqual(0);
        expect(interval.high).toBeLessThanOrEqual(1);
        expect(interval.low).toBeLessThanOrEqual(rate + 1e-15);
        expect(interval.high).toBeGreaterThanOrEqual(rate - 1e-15);
        const wider = wilsonInterval(passed, runs, level + (1 - level) / 2) ?? { low: 2, high: -1 };
        expect(wider.low).toBeLessThanOrEqual(interval.low);
        expect(wider.high).toBeGreaterThanOrEqual(interval.high);
        expect(wilsonInterval(runs - passed, runs, level)?.low).toBeCloseTo(1 - interval.high, 12);
      }),
    );
  });

  it("Wilson: no trials say nothing, impossible counts are refused", () => {
    expect(wilsonInterval(0, 0, 0.95)).toBeNull();
    expect(() => wilsonInterval(3, 2, 0.95)).toThrow("successes must lie between 0 and 2 trials, got 3");
  });

  it("z-interval: centred on the mean, empty for no values", () => {
    fc.assert(
      fc.property(numbers, confidence, (values, level) => {
        const { low, high } = zInterval(values, level) ?? { low: 1, high: -1 };
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
    expect(zInterval([], 0.9)).toBeNull();
  });

  it("bootstrap: reproducible by its seed, within the values, a point for equal values", () => {
    const options = { confidence: 0.95, resamples: 100, seed: 7 };
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 15 }), (values) => {
        for (const method of ["bca", "percentile"] as const) {
          const interval = bootstrapInterval(values, meanEstimator, method, options);
          expect(bootstrapInterval(values, meanEstimator, method, options)).toEqual(interval);
          const slack = 1e-6;
          expect(interval?.low).toBeGreaterThanOrEqual(Math.min(...values) - slack);
          expect(interval?.high).toBeLessThanOrEqual(Math.max(...values) + slack);
          expect(interval?.low).toBeLessThanOrEqual(interval?.high ?? -Infinity);
        }
      }),
      { numRuns: 50 },
    );
    expect(bootstrapInterval([4, 4, 4], meanEstimator, "bca", options)).toEqual({ low: 4, high: 4 });
    expect(bootstrapInterval([4], meanEstimator, "bca", options)).toBeNull();
    const other = { ...options, seed: 8 };
    const values = [1, 5, 9, 14, 20, 3];
    expect(bootstrapInterval(values, meanEstimator, "percentile", other)).not.toEqual(
      bootstrapInterval(values, meanEstimator, "percentile", options),
    );
  });

  it("bootstrap: a given way to leave one out changes nothing but the time", () => {
    const options = { confidence: 0.9, resamples: 200, seed: 3 };
    const values = [0.5, 3, 2.25, 8, 1, 1, 7.5];
    const slow = { of: meanEstimator.of.bind(meanEstimator) };
    const quick = bootstrapInterval(values, meanEstimator, "bca", options);
    expect(bootstrapInterval(values, slow, "bca", options)?.low).toBeCloseTo(quick?.low ?? Number.NaN, 9);
  });
});

describe("pass@k and pass^k", () => {
  const runs = fc
    .integer({ min: 1, max: 80 })
    .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({ min: 1, max: n })));

  it("lie in [0, 1], with pass^k ≤ rate ≤ pass@k and equality at k = 1", () => {
    fc.assert(
      fc.property(runs, ([n, passed, k]) => {
        const [at, hat] = [passAtK(n, passed, k) ?? -1, passHatK(n, passed, k) ?? 2];
        expect(hat).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(1);
        expect(hat).toBeLessThanOrEqual(passed / n + 1e-12);
        expect(at).toBeGreaterThanOrEqual(passed / n - 1e-12);
        expect(passAtK(n, passed, 1)).toBeCloseTo(passed / n, 12);
        expect(passHatK(n, passed, 1)).toBeCloseTo(passed / n, 12);
      }),
    );
  });

  it("pass@k rises and pass^k falls with k; both rise with the passes", () => {
    fc.assert(
      fc.property(runs, ([n, passed, k]) => {
        fc.pre(k < n && passed < n);
        const slack = 1e-12;
        expect(passAtK(n, passed, k + 1)).toBeGreaterThanOrEqual((passAtK(n, passed, k) ?? 2) - slack);
        expect(passHatK(n, passed, k + 1)).toBeLessThanOrEqual((passHatK(n, passed, k) ?? -1) + slack);
        expect(passAtK(n, passed + 1, k)).toBeGreaterThanOrEqual((passAtK(n, passed, k) ?? 2) - slack);
        expect(passHatK(n, passed + 1, k)).toBeGreaterThanOrEqual((passHatK(n, passed, k) ?? 2) - slack);
      }),
    );
  });

  it("mirror one another: failing all of k is not passing one of k", () => {
    fc.assert(
      fc.property(runs, ([n, passed, k]) => {
        expect((passAtK(n, passed, k) ?? 0) + (passHatK(n, n - passed, k) ?? 0)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("k beyond the runs is unknown, counts that cannot be are refused, a billion runs are no trouble", () => {
    expect([passAtK(3, 2, 4), passHatK(3, 2, 4)]).toEqual([null, null]);
    expect(() => passAtK(3, 4, 1)).toThrow("got 4 of 3 runs, k = 1");
    expect(() => passHatK(3, 2, 0)).toThrow("k ≥ 1");
    expect(passAtK(1e9, 1, 1)).toBeCloseTo(1e-9, 20);
    expect(passHatK(1e9, 5e8, 3)).toBeCloseTo(0.125, 8);
  });
});

describe("tests of two and more groups", () => {
  const count = fc.nat(25);

  it("Fisher: in (0, 1], the same when rows, columns or both change places", () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const row = (x: number, y: number) => [x, y] as const;
        const p = fisherExact([row(a, b), row(c, d)]);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(fisherExact([row(c, d), row(a, b)])).toBeCloseTo(p, 10);
        expect(fisherExact([row(b, a), row(d, c)])).toBeCloseTo(p, 10);
        expect(fisherExact([row(a, c), row(b, d)])).toBeCloseTo(p, 10);
      }),
    );
    expect(() =>
      fisherExact([
        [1, 2],
        [-1, 0.5],
      ]),
    ).toThrow("counts must be whole");
  });

  it("Mann–Whitney: p in [0, 1], the same for exchanged samples; the two U add up to all pairs", () => {
    fc.assert(
      fc.property(tied, tied, fc.nat(), (first, second, seed) => {
        const ours = mannWhitney(first, second);
        const exchanged = mannWhitney(shuffled(second, seed), shuffled(first, seed));
        expect(ours?.p).toBeGreaterThanOrEqual(0);
        expect(ours?.p).toBeLessThanOrEqual(1);
        expect(exchanged?.p).toBeCloseTo(ours?.p ?? Number.NaN, 12);
        expect((ours?.u ?? 0) + (exchanged?.u ?? 0)).toBeCloseTo(first.length * second.length, 9);
      }),
    );
  });

  it("Mann–Whitney: nothing to compare is unknown, all the same is no difference", () => {
    expect(mannWhitney([], [1])).toBeNull();
    expect(mannWhitney([2, 2, 2], [2, 2])).toMatchObject({ p: 1 });
  });

  it("Kruskal–Wallis: p in [0, 1], H not negative, independent of the order of groups", () => {
    fc.assert(
      fc.property(fc.array(tied, { minLength: 2, maxLength: 6 }), fc.nat(), (samples, seed) => {
        const ours = kruskalWallis(samples);
        expect(ours?.h).toBeGreaterThanOrEqual(0);
        expect(ours?.p).toBeGreaterThanOrEqual(0);
        expect(ours?.p).toBeLessThanOrEqual(1);
        expect(kruskalWallis(shuffled(samples, seed))?.h).toBeCloseTo(ours?.h ?? Number.NaN, 9);
      }),
    );
    expect(kruskalWallis([[1, 2], []])).toBeNull();
    expect(kruskalWallis([[3, 3], [3], [3]])).toMatchObject({ h: 0, p: 1 });
  });

  it("corrections never lower a p-value, keep its order, and rank BH ≤ Holm ≤ Bonferroni", () => {
    fc.assert(
      fc.property(fc.array(probability, { minLength: 1, maxLength: 12 }), (values) => {
        const [bh, step, all] = [benjaminiHochberg(values), holm(values), bonferroni(values)];
        for (const [i, p] of values.entries()) {
          const chain = [p, bh[i] ?? -1, step[i] ?? -1, all[i] ?? -1, 1];
          expect(chain.every((value, at) => at === 0 || value >= (chain[at - 1] ?? 2) - 1e-12)).toBe(true);
          const above = [...step.entries()].filter(([j]) => p <= (values[j] ?? -1));
          expect(above.every(([, adjusted]) => (step[i] ?? 2) <= adjusted)).toBe(true);
        }
      }),
    );
  });
});

describe("agreement", () => {
  it("alpha: 1 for full agreement, at most 1, the order of raters and units does not matter", () => {
    const unit = fc.array(fc.option(fc.nat(4)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), fc.nat(), (units, seed) => {
        for (const level of ["nominal", "ordinal", "interval"] as const) {
          const alpha = krippendorffAlpha(units, level);
          const again = krippendorffAlpha(
            shuffled(units, seed).map((ratings) => shuffled(ratings, seed)),
            level,
          );
          expect(again === null).toBe(alpha === null);
          expect(alpha ?? 0).toBeLessThanOrEqual(1);
          expect(again ?? 0).toBeCloseTo(alpha ?? 0, 9);
        }
      }),
    );
    expect(
      krippendorffAlpha(
        [
          [1, 1, null],
          [3, 3, 3],
        ],
        "ordinal",
      ),
    ).toBe(1);
    expect(krippendorffAlpha([[1, null], [2]], "nominal")).toBeNull();
    expect(krippendorffAlpha([[2, 2]], "nominal")).toBeNull();
  });
});

describe("flakiness", () => {
  it("lies in [0, 1], and is the same for passes and failures exchanged", () => {
    const score = fc.double({ min: 0, max: 100, noNaN: true });
    const evidence = fc.record({
      passed: fc.nat(20),
      failed: fc.nat(20),
      scores: fc.array(score, { maxLength: 20 }),
      toolPatterns: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(evidence, (runs) => {
        fc.pre(runs.passed + runs.failed > 1);
        const { score: ours } = flakiness(runs);
        expect(ours).toBeGreaterThanOrEqual(0);
        expect(ours).toBeLessThanOrEqual(1);
        const exchanged = { ...runs, passed: runs.failed, failed: runs.passed };
        expect(flakiness(exchanged).score).toBeCloseTo(ours ?? Number.NaN, 12);
      }),
    );
  });
});
