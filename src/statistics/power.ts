import { mannWhitney } from "./mann-whitney.ts";
import { normalQuantile } from "./normal.ts";
import { createRandom } from "./random.ts";

export interface PowerOptions {
  /** The p-value below which a difference counts as found. */
  readonly alpha: number;
  readonly simulations: number;
  readonly seed: number;
}

/**
 * The chance that a Mann–Whitney test with n₁ and n₂ runs finds a difference of a given Cliff's delta, by
 * simulation: normal values shifted by √2·Φ⁻¹((δ + 1)/2), which have that delta (ProjectScylla). In [0, 1];
 * alpha for a delta of 0. Null below two runs a side; RangeError unless −1 < delta < 1.
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
