import { wilsonInterval } from "../estimates/interval.ts";
import { mean } from "../samples/moments.ts";
import { median } from "../samples/quantiles.ts";
import type { Shift } from "../tests/signed-rank.ts";
import { typicalShift } from "../tests/stratified-rank-sum.ts";

const CONFIDENCE = 0.95;

/** Values before or after a change. */
export interface Level {
  readonly runs: number;
  readonly mean: number;
  readonly median: number;
}

/**
 * A `ratio` is a fraction of the old value, such as 0.2 for an increase by a fifth. A `difference` is in the
 * unit of the measure.
 */
export interface ChangeSize {
  readonly scale: "ratio" | "difference";
  readonly estimate: number;
  /** Lower limit of the confidence interval; null if there are too few queries or runs. */
  readonly low: number | null;
  readonly high: number | null;
}

export function levelOf(values: Float64Array): Level {
  return { runs: values.length, mean: mean(values) ?? Number.NaN, median: median(values) ?? Number.NaN };
}

/**
 * Returns the difference between two shares with a confidence interval that combines two Wilson intervals.
 * Source: Newcombe, Statistics in Medicine 17 (1998).
 */
export function changeOfRate(before: Float64Array, after: Float64Array): ChangeSize {
  const [a, b] = [rateOf(before), rateOf(after)];
  const estimate = b.rate - a.rate;
  return {
    scale: "difference",
    estimate,
    low: estimate - Math.hypot(b.rate - b.low, a.high - a.rate),
    high: estimate + Math.hypot(b.high - b.rate, a.rate - a.low),
  };
}

function rateOf(values: Float64Array): { rate: number; low: number; high: number } {
  const passed = values.reduce((sum, value) => sum + value, 0);
  const { low, high } = wilsonInterval(passed, values.length, CONFIDENCE) ?? { low: 0, high: 1 };
  return { rate: passed / values.length, low, high };
}

/**
 * Returns Hodges and Lehmann's estimate of the change. The interval of the estimate contains the changes that
 * the Mann–Whitney test does not reject. The change is a ratio if all values are above zero, otherwise a
 * difference.
 */
export function changeOfValues(before: Float64Array, after: Float64Array): ChangeSize {
  const isRatio = before.every(isAboveZero) && after.every(isAboveZero);
  const scaled = (values: Float64Array): Float64Array => (isRatio ? values.map(Math.log) : values);
  const shift = typicalShift([{ first: scaled(after), second: scaled(before) }], CONFIDENCE);
  return shiftSize(shift ?? { estimate: 0, interval: null }, isRatio);
}

/**
 * Converts a shift into a change.
 * @param isRatio whether the shift is a difference of logarithms, which becomes a ratio
 */
export function shiftSize({ estimate, interval }: Shift, isRatio: boolean): ChangeSize {
  const back = (value: number): number => (isRatio ? Math.expm1(value) : value);
  return {
    scale: isRatio ? "ratio" : "difference",
    estimate: back(estimate),
    low: interval && back(interval.low),
    high: interval && back(interval.high),
  };
}

function isAboveZero(value: number): boolean {
  return value > 0;
}
