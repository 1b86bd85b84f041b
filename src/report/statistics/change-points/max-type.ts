import { normalSurvival } from "../tests/normal.ts";

const STEPS = 48;

/**
 * Returns P(|X| > b and |Y| > b) for two standard normal variables with correlation `rho`.
 * The integral over X is computed by Simpson's rule.
 */
function bothBeyond(b: number, rho: number): number {
  const spread = Math.sqrt(Math.max(1e-12, 1 - rho * rho));
  const width = 12 / Math.max(b, 1.5) / STEPS;
  let total = 0;
  for (let i = 0; i <= STEPS; i++) {
    const x = b + i * width;
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    const beyond = normalSurvival((b - rho * x) / spread) + normalSurvival((b + rho * x) / spread);
    total += (i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2) * density * beyond;
  }
  return (2 * total * width) / 3;
}

/**
 * Returns the probability that the largest |z| of all splits of an unchanged series reaches `b`, from 0 to 1.
 * Neighbouring splits share observations, so their z values are correlated. The result is an upper bound: it
 * counts a case twice only if z values of two splits exceed `b`, and a z value between them does not. Source:
 * Worsley, "Testing for a two-phase multiple regression" and "An improved Bonferroni inequality", Biometrika
 * 69 (1982).
 * @param counts number of observations in each bin, at least 1. The splits are between bins
 */
export function chanceOfMaximum(b: number, counts: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i] ?? 0;
  const splits = counts.length - 1;
  const one = 2 * normalSurvival(b);
  let chance = splits * one;
  let before = counts[0] ?? 0;
  for (let split = 1; split < splits; split++) {
    const next = before + (counts[split] ?? 0);
    chance -= bothBeyond(b, Math.sqrt((before * (total - next)) / (next * (total - before))));
    before = next;
  }
  return Math.min(1, Math.max(chance, one));
}
