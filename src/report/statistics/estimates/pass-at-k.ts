function requireCounts(runs: number, passed: number, k: number): void {
  const whole = [runs, passed, k].every((value) => Number.isSafeInteger(value) && value >= 0);
  if (!whole || passed > runs || k < 1) {
    throw new RangeError(
      `need whole numbers with 0 ≤ passed ≤ runs and k ≥ 1, got ${passed} of ${runs} runs, k = ${k}`,
    );
  }
}

/**
 * Returns ln of C(chosenFrom, k)/C(runs, k) for k ≤ chosenFrom ≤ runs. The ratio equals Π (chosenFrom −
 * j)/(runs − j) over j < k, and Π (runs − k − i)/(runs − i) over i < runs − chosenFrom. The product with
 * fewer factors is used.
 */
function logCombinationRatio(chosenFrom: number, runs: number, k: number): number {
  const others = runs - chosenFrom;
  let log = 0;
  if (k <= others) for (let j = 0; j < k; j++) log += Math.log1p(-others / (runs - j));
  else for (let i = 0; i < others; i++) log += Math.log1p(-k / (runs - i));
  return log;
}

/**
 * Returns pass@k, the probability that at least one of k runs passes: 1 − C(n−c, k)/C(n, k), if c of n runs
 * passed. The estimate is unbiased and in [0, 1]. Returns null if k > n. Source: Chen et al., "Evaluating
 * Large Language Models Trained on Code" (2021).
 */
export function passAtK(runs: number, passed: number, k: number): number | null {
  requireCounts(runs, passed, k);
  if (k > runs) return null;
  if (runs - passed < k) return 1;
  return passed === 0 ? 0 : -Math.expm1(logCombinationRatio(runs - passed, runs, k));
}

/**
 * Returns pass^k, the probability that all of k runs pass: C(c, k)/C(n, k), if c of n runs passed. The
 * estimate is unbiased and in [0, 1]. Returns null if k > n. Source: Yao et al., "τ-bench" (2024).
 */
export function passHatK(runs: number, passed: number, k: number): number | null {
  requireCounts(runs, passed, k);
  if (k > runs) return null;
  if (passed < k) return 0;
  return passed === runs ? 1 : Math.exp(logCombinationRatio(passed, runs, k));
}

/**
 * Returns pass@k as AgentCI and EvalView estimate it from the observed rate p: 1 − (1 − p)^k. The estimate is
 * biased, in [0, 1], and defined for any k ≥ 1.
 */
export function plugInPassAtK(rate: number, k: number): number {
  return rate >= 1 ? 1 : -Math.expm1(k * Math.log1p(-rate));
}

/**
 * Returns pass^k as AgentCI and EvalView estimate it from the observed rate p: p^k. The estimate is biased,
 * in [0, 1], and defined for any k ≥ 1.
 */
export function plugInPassHatK(rate: number, k: number): number {
  return rate ** k;
}
