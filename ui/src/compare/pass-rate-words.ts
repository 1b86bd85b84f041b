import { percent } from "../format.ts";

/** Numbers of runs of one side: decided runs, decided runs that passed, and passed runs that had a warning. */
export interface PassCounts {
  readonly passed: number;
  readonly warned: number;
  readonly decided: number;
}

/** Returns a text such as `90 % (3 with warnings)`; "not decided" if no run is decided. */
export function passRateWords(counts: PassCounts): string {
  const { passed, warned, decided } = counts;
  if (decided === 0) return "not decided";
  return withWarnings(percent(passed / decided), warned);
}

export function withWarnings(rate: string, warned: number): string {
  return warned === 0 ? rate : `${rate} (${warned} with warnings)`;
}

/**
 * Returns the pass rates of both sides, such as `90 % → 100 % (3 with warnings)`. If they are equal, returns a text such as `100 % both`.
 */
export function passRatesWords(a: PassCounts, b: PassCounts): string {
  const [before, after] = [passRateWords(a), passRateWords(b)];
  if (before !== after) return `${before} → ${after}`;
  return a.decided === 0 ? before : `${before} both`;
}
