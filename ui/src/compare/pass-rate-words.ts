import { percent } from "../format.ts";

/** Of the decided runs of one side, how many passed; of these, how many had a warning. */
export interface PassCounts {
  readonly passed: number;
  readonly warned: number;
  readonly decided: number;
}

/** `90 % (3 with warnings)`; "not decided" without a decided run. */
export function passRateWords(counts: PassCounts): string {
  const { passed, warned, decided } = counts;
  if (decided === 0) return "not decided";
  return withWarnings(percent(passed / decided), warned);
}

export function withWarnings(rate: string, warned: number): string {
  return warned === 0 ? rate : `${rate} (${warned} with warnings)`;
}

/** Both sides, for example `90 % → 100 % (3 with warnings)`; `100 % both` if they are equal. */
export function passRatesWords(a: PassCounts, b: PassCounts): string {
  const [before, after] = [passRateWords(a), passRateWords(b)];
  if (before !== after) return `${before} → ${after}`;
  return a.decided === 0 ? before : `${before} both`;
}
