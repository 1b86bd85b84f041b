import { mannWhitney } from "../tests/mann-whitney.ts";
import { normalQuantile } from "../tests/normal.ts";
import { createRandom } from "../samples/random.ts";
import { rank } from "../tests/ranks.ts";
import { criticalSum } from "../tests/signed-rank.ts";

export interface PowerOptions {
  readonly alpha: number;
  readonly simulations: number;
  readonly seed: number;
}

/**
 * Returns the power of a Mann–Whitney test: the probability that it finds a Cliff's delta δ with n₁ and n₂
 * runs, in [0, 1]. As in ProjectScylla, the power is simulated with normal values shifted by √2·Φ⁻¹((δ +
 * 1)/2), which have this delta. For a delta of 0, the power is alpha. Returns null if one of the groups has
 * fewer than two runs.
 * @throws RangeError unless −1 < delta < 1
 */
export function mannWhitneyPower(
  n1: number,
  n2: number,
  delta: number,
  options: PowerOptions,
): number | null {
  const shift = Math.SQRT2 * normalQuantile((delta + 1) / 2);
  if (n1 < 2 || n2 < 2) return null;
  if (delta === 0) return options.alpha;
  const random = createRandom(options.seed);
  const first = new Float64Array(n1);
  const second = new Float64Array(n2);
  let found = 0;
  for (let i = 0; i < options.simulations; i++) {
    for (let j = 0; j < n1; j++) first[j] = random.normal() + shift;
    for (let j = 0; j < n2; j++) second[j] = random.normal();
    if ((mannWhitney(first, second)?.p ?? 1) < options.alpha) found++;
  }
  return found / options.simulations;
}

/**
 * Returns the power of a signed-rank test over queries: the probability that it finds a change with P(more) −
 * P(less) = delta, in [0, 1]. The power is simulated with normal changes shifted by Φ⁻¹((δ + 1)/2). For a
 * delta of 0, the power is alpha. If there are too few queries for any significance, the power is 0. Returns
 * null for fewer than two queries.
 * @throws RangeError unless −1 < delta < 1
 */
export function signedRankPower(queries: number, delta: number, options: PowerOptions): number | null {
  const shift = normalQuantile((delta + 1) / 2);
  if (queries < 2) return null;
  if (delta === 0) return options.alpha;
  const rejected = criticalSum(queries, options.alpha / 2);
  const random = createRandom(options.seed);
  let found = 0;
  for (let i = 0; i < options.simulations; i++) {
    const changes = Float64Array.from({ length: queries }, () => random.normal() + shift);
    const { ranks } = rank(changes.map(Math.abs));
    const positive = ranks.reduce((sum, one, at) => ((changes[at] ?? 0) > 0 ? sum + one : sum), 0);
    if (Math.min(positive, (queries * (queries + 1)) / 2 - positive) <= rejected) found++;
  }
  return found / options.simulations;
}
