import type { Interval } from "../estimates/interval.ts";
import { sorted, type Sample } from "../samples/moments.ts";
import { normalSurvival, twoSidedZ } from "./normal.ts";
import { kthSmallest, medianOf, type Countable } from "../samples/order-statistic.ts";
import { rank } from "./ranks.ts";

export interface SignedRank {
  /** Sum of the ranks of the positive differences. */
  readonly positive: number;
  /** Sum of the ranks of the negative differences. */
  readonly negative: number;
  /** Two-sided p-value in (0, 1]. */
  readonly p: number;
  readonly method: "exact" | "asymptotic";
  /**
   * Whether all differences have the same size. For differences of the same size, the test equals the sign
   * test.
   */
  readonly isSignTest: boolean;
}

/**
 * Number of differences up to which the exact distribution is used. With more differences, the normal
 * approximation is used.
 */
const exactUpTo = 200;

/**
 * Returns the probability of each sum of doubled ranks of the positive differences. The index of a
 * probability is the sum. Each difference is positive or negative with equal probability. Doubled ranks are
 * integers, because mid-ranks are multiples of one half.
 */
function positiveSums(doubledRanks: Sample): Float64Array {
  let total = 0;
  for (let i = 0; i < doubledRanks.length; i++) total += doubledRanks[i] ?? 0;
  const chances = new Float64Array(total + 1);
  chances[0] = 1;
  let reached = 0;
  for (let i = 0; i < doubledRanks.length; i++) {
    const step = doubledRanks[i] ?? 0;
    reached += step;
    for (let at = reached; at >= 0; at--) {
      chances[at] = ((chances[at] ?? 0) + (at >= step ? (chances[at - step] ?? 0) : 0)) / 2;
    }
  }
  return chances;
}

/**
 * Returns Wilcoxon's two-sided signed-rank test of paired differences; null without differences. p is 1 if
 * all differences are zero. Zeros are left out, and differences of equal size get the mean of their ranks. Up
 * to 200 differences, the test is exact over all combinations of signs. With more differences, the normal
 * approximation with tie correction is used, as in SciPy's `wilcoxon`. If all differences have the same size,
 * the test equals the sign test. Source: Wilcoxon, Biometrics Bulletin 1 (1945); for ties, Pratt and Gibbons
 * (1981).
 */
export function signedRankTest(differences: Sample): SignedRank | null {
  if (differences.length === 0) return null;
  const changed = Float64Array.from(differences).filter((difference) => difference !== 0);
  if (changed.length === 0) return { positive: 0, negative: 0, p: 1, method: "exact", isSignTest: true };
  const sizes = changed.map(Math.abs);
  const ranking = rank(sizes);
  let positive = 0;
  for (const [index, difference] of changed.entries()) {
    if (difference > 0) positive += ranking.ranks[index] ?? 0;
  }
  const count = changed.length;
  const negative = (count * (count + 1)) / 2 - positive;
  const isSignTest = sizes.every((size) => size === sizes[0]);
  if (count <= exactUpTo) {
    const chances = positiveSums(ranking.ranks.map((one) => Math.round(2 * one)));
    let tail = 0;
    for (const chance of chances.subarray(Math.round(2 * Math.max(positive, negative)))) tail += chance;
    return { positive, negative, p: Math.min(1, 2 * tail), method: "exact", isSignTest };
  }
  const variance = (count * (count + 1) * (2 * count + 1)) / 24 - ranking.ties / 48;
  const z = (Math.max(positive, negative) - (count * (count + 1)) / 4) / Math.sqrt(variance);
  return { positive, negative, p: Math.min(1, 2 * normalSurvival(z)), method: "asymptotic", isSignTest };
}

/** Returns the means of all pairs of differences. Each difference also forms a pair with itself. */
function walshAverages(differences: Sample): Countable {
  const ordered = sorted(differences);
  return {
    count: (ordered.length * (ordered.length + 1)) / 2,
    smallest: ordered[0] ?? Number.NaN,
    largest: ordered[ordered.length - 1] ?? Number.NaN,
    atMost(x) {
      let count = 0;
      let below = ordered.length;
      for (let i = 0; i < ordered.length; i++) {
        while (below > 0 && ((ordered[i] ?? 0) + (ordered[below - 1] ?? 0)) / 2 > x) below--;
        if (below <= i) break;
        count += below - i;
      }
      return count;
    },
  };
}

/**
 * Returns the largest c with P(sum of positive ranks ≤ c) ≤ tail, if all differences have different sizes.
 * Returns −1 if the probability of the sum 0 is already above `tail`.
 * @param count number of differences
 */
export function criticalSum(count: number, tail: number): number {
  if (count > exactUpTo) {
    const spread = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
    return Math.floor((count * (count + 1)) / 4 - twoSidedZ(1 - 2 * tail) * spread);
  }
  const chances = positiveSums(Uint32Array.from({ length: count }, (_, index) => index + 1));
  let below = 0;
  for (let sum = 0; sum < chances.length; sum++) {
    below += chances[sum] ?? 0;
    // The factor tolerates rounding errors of the sum.
    if (below > tail * (1 + 1e-12)) return sum - 1;
  }
  return chances.length - 1;
}

export interface Shift {
  readonly estimate: number;
  /** Confidence interval; null if there are too few values for this confidence. */
  readonly interval: Interval | null;
}

/**
 * Returns Hodges and Lehmann's estimate of the typical difference: the median of the means of all pairs of
 * differences. The interval contains the values that the signed-rank test does not reject at level 1 −
 * confidence. Returns null without differences. Source: Hodges and Lehmann, Annals of Mathematical Statistics
 * 34 (1963); Tukey's interval as in R's `wilcox.test`.
 */
export function typicalDifference(differences: Sample, confidence: number): Shift | null {
  if (differences.length === 0) return null;
  const averages = walshAverages(differences);
  const excluded = criticalSum(differences.length, (1 - confidence) / 2) + 1;
  const interval =
    excluded < 1
      ? null
      : {
          low: kthSmallest(averages, excluded),
          high: kthSmallest(averages, averages.count + 1 - excluded),
        };
  return { estimate: medianOf(averages), interval };
}
