/**
 * Relative rounding error of a few floating-point operations: 0.7 + 0.7 + 0.7 over 3 is below 0.7 by less
 * than this share.
 */
const FEW_ULPS = 8 * Number.EPSILON;

/** Largest count of steps in which a rounding error is far below a step. */
const MOST_STEPS = 2 ** 45;

/** Whether two numbers are equal apart from rounding errors. */
function isEqual(a: number, b: number): boolean {
  if (a === b) return true;
  return Number.isFinite(a - b) && Math.abs(a - b) <= FEW_ULPS * Math.max(Math.abs(a), Math.abs(b));
}

/** Whether a value reaches a limit. A value that equals the limit apart from rounding errors reaches it. */
export function isAtLeast(value: number, limit: number): boolean {
  return value >= limit || isEqual(value, limit);
}

/**
 * Whether a value does not exceed a limit. A value that equals the limit apart from rounding errors does not
 * exceed it.
 */
export function isAtMost(value: number, limit: number): boolean {
  return value <= limit || isEqual(value, limit);
}

/**
 * Whether a number is a whole number of steps, like `multipleOf` of JSON Schema: 0.3 is a multiple of 0.1.
 */
export function isMultipleOf(value: number, step: number): boolean {
  const steps = Math.round(value / step);
  // Above this count, rounding errors are as large as a step; for integers, the remainder is exact.
  if ((Number.isInteger(value) && Number.isInteger(step)) || Math.abs(steps) > MOST_STEPS)
    return value % step === 0;
  return Number.isFinite(steps) && isEqual(steps * step, value);
}
