/**
 * Relative rounding error of a few floating-point operations. For example, (0.7 + 0.7 + 0.7) / 3 is slightly less than 0.7; the difference
 * is smaller than this error.
 */
const FEW_ULPS = 8 * Number.EPSILON;

/** Up to this number of steps, a rounding error is far smaller than one step. */
const MOST_STEPS = 2 ** 45;

/** Whether two numbers are equal, ignoring rounding errors. */
function isEqual(a: number, b: number): boolean {
  if (a === b) return true;
  return Number.isFinite(a - b) && Math.abs(a - b) <= FEW_ULPS * Math.max(Math.abs(a), Math.abs(b));
}

/** Whether a value is at least a limit, ignoring rounding errors. */
export function isAtLeast(value: number, limit: number): boolean {
  return value >= limit || isEqual(value, limit);
}

/** Whether a value is at most a limit, ignoring rounding errors. */
export function isAtMost(value: number, limit: number): boolean {
  return value <= limit || isEqual(value, limit);
}

/**
 * Whether a number is a multiple of a step, ignoring rounding errors, as in `multipleOf` of JSON Schema. For
 * example, 0.3 is a multiple of 0.1.
 */
export function isMultipleOf(value: number, step: number): boolean {
  const steps = Math.round(value / step);
  // `%` is exact for integers. Above `MOST_STEPS`, a rounding error can be as large as a step, so rounding errors are not ignored.
  if ((Number.isInteger(value) && Number.isInteger(step)) || Math.abs(steps) > MOST_STEPS)
    return value % step === 0;
  return Number.isFinite(steps) && isEqual(steps * step, value);
}
