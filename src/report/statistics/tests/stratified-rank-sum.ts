import type { Interval } from "../estimates/interval.ts";
import { sorted, type Sample } from "../samples/moments.ts";
import { normalSurvival, twoSidedZ } from "./normal.ts";
import { kthSmallest, medianOf, type Countable } from "../samples/order-statistic.ts";
import { convolve } from "./convolve.ts";
import { concatenate, rank, rankSum } from "./ranks.ts";
import type { Shift } from "./signed-rank.ts";

/** Two samples that may be compared with each other, such as the runs of one query in two groups. */
export interface Stratum {
  readonly first: Sample;
  readonly second: Sample;
}

export interface StratifiedRankSum {
  /**
   * Number of pairs within strata in which the first sample has the larger value. A pair of equal values adds
   * one half.
   */
  readonly u: number;
  readonly pairs: number;
  /** Two-sided p-value in (0, 1]. */
  readonly p: number;
  readonly method: "exact" | "asymptotic";
}

/** Maximum number of steps to compute an exact distribution. 2e7 steps take about a tenth of a second. */
const mostSteps = 2e7;

interface Ranked {
  /** Doubled mid-ranks of the values of both samples. Doubled mid-ranks are integers. */
  readonly doubledRanks: Float64Array;
  readonly chosen: number;
  readonly doubledU: number;
  readonly pairs: number;
  readonly variance: number;
}

function rankStratum({ first, second }: Stratum): Ranked {
  const ranking = rank(concatenate([first, second]));
  const total = ranking.ranks.length;
  const pairs = first.length * second.length;
  const doubledSum = Math.round(2 * rankSum(ranking, 0, first.length));
  return {
    doubledRanks: ranking.ranks.map((one) => Math.round(2 * one)),
    chosen: first.length,
    doubledU: doubledSum - first.length * (first.length + 1),
    pairs,
    variance: (pairs / 12) * (total + 1 - ranking.ties / (total * (total - 1))),
  };
}

function stepsOf({ doubledRanks, chosen }: Ranked): number {
  const fewer = Math.min(chosen, doubledRanks.length - chosen);
  return doubledRanks.length * fewer * fewer * (2 * doubledRanks.length);
}

/** Returns the distribution of the doubled U over all possible choices of the first sample. */
function doubledChances({ doubledRanks, chosen, pairs }: Ranked): Float64Array {
  const total = doubledRanks.length;
  const flipped = chosen > total - chosen;
  const fewer = flipped ? total - chosen : chosen;
  // Without ties, all doubled ranks are even. Halving them halves the number of possible sums.
  const unit = doubledRanks.every((one) => one % 2 === 0) ? 2 : 1;
  const ranks = doubledRanks.map((one) => one / unit).sort();
  // `smallest[m]`: the sum of the m smallest ranks.
  const smallest = new Float64Array(total + 1);
  for (const [index, one] of ranks.entries()) smallest[index + 1] = (smallest[index] ?? 0) + one;
  const sumOf = (from: number, to: number) => (smallest[to] ?? 0) - (smallest[from] ?? 0);
  // `sums[m][s]` is the probability that m of the values so far were chosen and that the ranks of the chosen values have the sum s.
  const sums = Array.from({ length: fewer + 1 }, (_, m) => new Float64Array(sumOf(total - m, total) + 1));
  const [none] = sums;
  if (none !== undefined) none[0] = 1;
  for (const [index, step] of ranks.entries()) {
    const left = total - index;
    for (let m = Math.min(index, fewer); m >= 0; m--) {
      const here = sums[m];
      const next = sums[m + 1];
      if (here === undefined) continue;
      const take = (fewer - m) / left;
      const largest = sumOf(index - m, index);
      for (let s = sumOf(0, m); s <= largest; s++) {
        const chance = here[s] ?? 0;
        if (next !== undefined) next[s + step] = (next[s + step] ?? 0) + chance * take;
        here[s] = chance * (1 - take);
      }
    }
  }
  const chances = new Float64Array(2 * pairs + 1);
  for (const [sum, chance] of (sums[fewer] ?? new Float64Array()).entries()) {
    if (chance === 0) continue;
    const doubledU = unit * sum - fewer * (fewer + 1);
    chances[flipped ? 2 * pairs - doubledU : doubledU] = chance;
  }
  return chances;
}

function exactChances(strata: readonly Ranked[]): Float64Array | null {
  const steps = strata.reduce((total, stratum) => total + stepsOf(stratum), 0);
  const width = strata.reduce((total, { pairs }) => total + 2 * pairs, 0);
  if (steps + width * width > mostSteps) return null;
  return strata.map(doubledChances).reduce(convolve, Float64Array.of(1));
}

function tails(chances: Float64Array, doubledU: number): number {
  let below = 0;
  let above = 0;
  for (const [at, chance] of chances.entries()) {
    if (at <= doubledU) below += chance;
    if (at >= doubledU) above += chance;
  }
  return Math.min(below, above);
}

/**
 * Returns the two-sided Mann–Whitney U test within strata: values are compared only with values of the same stratum. Strata with an empty
 * sample are left out; returns null if every stratum has an empty sample. If few enough steps are needed, the test is exact over all ways
 * to split each stratum, including ties. Otherwise the normal approximation with tie and continuity corrections is used: for one stratum,
 * that of SciPy's `mannwhitneyu`. Source: Lehmann, "Nonparametrics" (1975), chapter 3.3.
 */
export function stratifiedRankSum(strata: readonly Stratum[]): StratifiedRankSum | null {
  const ranked = strata.filter(isFilled).map(rankStratum);
  if (ranked.length === 0) return null;
  const pairs = ranked.reduce((total, one) => total + one.pairs, 0);
  const doubledU = ranked.reduce((total, one) => total + one.doubledU, 0);
  const chances = exactChances(ranked);
  const u = doubledU / 2;
  if (chances !== null) return { u, pairs, p: Math.min(1, 2 * tails(chances, doubledU)), method: "exact" };
  const variance = ranked.reduce((total, one) => total + one.variance, 0);
  const z = (Math.abs(u - pairs / 2) - 0.5) / Math.sqrt(variance);
  return { u, pairs, p: variance > 0 ? Math.min(1, 2 * normalSurvival(z)) : 1, method: "asymptotic" };
}

function isFilled({ first, second }: Stratum): boolean {
  return first.length > 0 && second.length > 0;
}

/**
 * Returns the differences between each value of the first and each value of the second sample, within strata.
 */
function differencesWithin(strata: readonly Stratum[]): Countable {
  const ordered = strata.map(({ first, second }) => ({ first: sorted(first), second: sorted(second) }));
  const last = (values: Float64Array) => values[values.length - 1] ?? Number.NaN;
  return {
    count: ordered.reduce((count, { first, second }) => count + first.length * second.length, 0),
    smallest: Math.min(...ordered.map(({ first, second }) => (first[0] ?? Number.NaN) - last(second))),
    largest: Math.max(...ordered.map(({ first, second }) => last(first) - (second[0] ?? Number.NaN))),
    atMost(x) {
      let count = 0;
      for (const { first, second } of ordered) {
        let below = 0;
        for (const value of second) {
          while (below < first.length && (first[below] ?? 0) - value <= x) below++;
          count += below;
        }
      }
      return count;
    },
  };
}

/** Returns the smallest U that the two-sided test accepts at level 2 · tail, if no values are equal. */
function smallestAccepted(strata: readonly Stratum[], tail: number): number {
  const distinct = strata.map(({ first, second }) => {
    const all = Float64Array.from({ length: first.length + second.length }, (_, index) => index);
    return rankStratum({ first: all.subarray(0, first.length), second: all.subarray(first.length) });
  });
  const chances = exactChances(distinct);
  if (chances === null) {
    const pairs = distinct.reduce((total, one) => total + one.pairs, 0);
    const variance = distinct.reduce((total, one) => total + one.variance, 0);
    return Math.max(0, Math.floor(pairs / 2 - 0.5 - twoSidedZ(1 - 2 * tail) * Math.sqrt(variance)) + 1);
  }
  let below = 0;
  for (let u = 0; 2 * u < chances.length; u++) {
    below += chances[2 * u] ?? 0;
    if (below > tail * (1 + 1e-12)) return u;
  }
  return 0;
}

/**
 * Returns Hodges and Lehmann's estimate of the shift: the median of all differences between both samples
 * within strata. The interval contains the shifts that the stratified U test does not reject. Returns null if
 * no stratum has values in both samples.
 */
export function typicalShift(strata: readonly Stratum[], confidence: number): Shift | null {
  const filled = strata.filter(isFilled);
  if (filled.length === 0) return null;
  const differences = differencesWithin(filled);
  const excluded = smallestAccepted(filled, (1 - confidence) / 2);
  const interval: Interval | null =
    excluded < 1
      ? null
      : {
          low: kthSmallest(differences, excluded),
          high: kthSmallest(differences, differences.count + 1 - excluded),
        };
  return { estimate: medianOf(differences), interval };
}
