import type { RateVerdict } from "./runs-needed.ts";

/** Number of evenly spaced alternative rates on one side of the limit. */
const ALTERNATIVES = 64;

/**
 * Returns ln of the likelihood ratio of the counts: the mean over rates between `low` and `high`, divided by
 * the likelihood at the rate `min`. With rates on one side of `min`, its expected value is at most 1 for any
 * true rate on the other side, however often it is checked: a mixture of likelihood ratios is a
 * supermartingale (Robbins, Ann. Math. Statist. 41, 1970).
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
 * Returns whether a true pass rate of at least `min` is shown, ruled out or open. The verdict may be
 * requested after every run, and no more runs are needed once it is not open. Whatever the true rate is, the
 * probability of ever giving the wrong answer is at most 1 − `confidence` (Ville's inequality). The first
 * failure rules out a rate of 1, which is never shown.
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
