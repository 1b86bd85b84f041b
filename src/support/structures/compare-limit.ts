/**
 * Relative rounding error of a few floating-point operations. For example, (0.7 + 0.7 + 0.7) / 3 is less than
 * 0.7 by a smaller share.
 */
const FEW_ULPS = 8 * Number.EPSILON;

/** Maximum number of steps for which a rounding error is far below one step. */
const MOST_STEPS = 2 ** 45;

/** Whether two numbers are equal apart from rounding errors. */
function isEqual(a: number, b: number): boolean {
  if (a === b) return true;
  return Number.isFinite(a - b) && Math.abs(a - b) <= FEW_ULPS * Math.max(Math.abs(a), Math.abs(b));
}

/** Whether a value is at least a limit. Values that are equal apart from rounding errors count as equal. */
export function isAtLeast(value: number, limit: number): boolean {
  return value >= limit || isEqual(value, limit);
}

/** Whether a value is at most a limit. Values that are equal apart from rounding errors count as equal. */
export function isAtMost(value: number, limit: number): boolean {
  return value <= limit || isEqual(value, limit);
}

/**
 * Whether a number is a whole number of steps, like `multipleOf` in JSON Schema: 0.3 is a multiple of 0.1.
 */
export function isMultipleOf(value: number, step: number): boolean {
  const steps = Math.round(value / step);
  // For integers the remainder is exact. Above `MOST_STEPS`, rounding errors are as large as a step.
  if ((Number.isInteger(value) && Number.isInteger(step)) || Math.abs(steps) > MOST_STEPS)
    return value % step === 0;
  return Number.isFinite(steps) && isEqual(steps * step, value);
}
