import { percent } from "../format.ts";

/** Runs of one side: of those decided, how many passed, and how many of these with a warning. */
export interface PassCounts {
  readonly passed: number;
  readonly warned: number;
  readonly decided: number;
}

/** `90 % (3 with warnings)`; "not decided" where no run was. */
export function passRateWords(counts: PassCounts): string {
  const { passed, warned, decided } = counts;
  if (decided === 0) return "not decided";
  return withWarnings(percent(passed / decided), warned);
}

export function withWarnings(rate: string, warned: number): string {
  return warned === 0 ? rate : `${rate} (${warned} with warnings)`;
}

/** Both sides, `90 % → 100 % (3 with warnings)`; one figure where they are equal. */
export function passRatesWords(a: PassCounts, b: PassCounts): string {
  const [before, after] = [passRateWords(a), passRateWords(b)];
  if (before !== after) return `${before} → ${after}`;
  return a.decided === 0 ? before : `${before} both`;
}
