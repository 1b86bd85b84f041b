import type { RateVerdict } from "./runs-needed.ts";

/** Rates that count as alternatives on one side of the limit, evenly spread. */
const ALTERNATIVES = 64;

/**
 * Ln of how many times likelier the counts are under rates between `low` and `high`, each alike, than under the rate `min`. With rates on one
 * side of `min` its expected value stays at most 1 for any true rate on the other side, however often one looks: a mixture of likelihood
 * ratios is a supermartingale (Robbins, Ann. Math. Statist. 41, 1970).
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
 * Whether a true pass rate of at least `min` is shown, ruled out or open. It may be asked after every run, and as soon as it is not open no
 * more runs are needed: whatever the true rate, the chance of ever giving the wrong answer is at most 1 − `confidence` (Ville's inequality).
 * A rate of 1 is ruled out by the first failure and never shown.
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
