import type { RateVerdict } from "./runs-needed.ts";

/** Number of evenly spaced rates over which the likelihood is averaged. */
const ALTERNATIVES = 64;

/**
 * Returns ln of a likelihood ratio: the mean likelihood of evenly spaced rates from `low` to `high`, divided
 * by the likelihood of `min`. If the true rate is on the other side of `min`, the expected ratio is at most 1
 * for any number of runs. A mixture of likelihood ratios is a supermartingale (Robbins, Annals of
 * Mathematical Statistics 41, 1970).
 */
function logEvidence(passed: number, failed: number, min: number, low: number, high: number): number {
  let most = -Infinity;
  const logs = Array.from({ length: ALTERNATIVES }, (_, at) => {
    const rate = low + ((high - low) * (at + 0.5)) / ALTERNATIVES;
    const log = passed * Math.log(rate / min) + failed * Math.log((1 - rate) / (1 - min));
    if (log > most) most = log;
    return log;
  });
  const total = logs.reduce((sum, log) => sum + Math.exp(log - most), 0);
  return most + Math.log(total / ALTERNATIVES);
}

/**
 * Returns whether the true pass rate is at least `min`. The verdict may be computed after each run: the
 * probability that any of these verdicts is wrong is at most 1 − `confidence` (Ville's inequality). A `min`
 * of 1 fails at the first failure, and cannot pass.
 */
export function sequentialVerdict(
  passed: number,
  runs: number,
  min: number,
  confidence: number,
): RateVerdict {
  const failed = runs - passed;
  if (min <= 0) return "pass";
  if (min >= 1) return failed > 0 ? "fail" : "open";
  const limit = -Math.log(1 - confidence);
  if (logEvidence(passed, failed, min, min, 1) >= limit) return "pass";
  return logEvidence(passed, failed, min, 0, min) >= limit ? "fail" : "open";
}
