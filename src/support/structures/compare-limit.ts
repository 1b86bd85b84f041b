/** Rounding of a handful of operations on binary fractions: 0.7 + 0.7 + 0.7 over 3 is below 0.7 by less than this share. */
const FEW_ULPS = 8 * Number.EPSILON;

/** Whether two numbers are equal but for the rounding of their computation. */
function isEqual(a: number, b: number): boolean {
  if (a === b) return true;
  return Number.isFinite(a - b) && Math.abs(a - b) <= FEW_ULPS * Math.max(Math.abs(a), Math.abs(b));
}

/** Whether a measured value reaches a limit; equality does, however its sum or quotient was rounded. */
export function isAtLeast(value: number, limit: number): boolean {
  return value >= limit || isEqual(value, limit);
}

/** Whether a measured value stays within a limit; equality does, however its sum or quotient was rounded. */
export function isAtMost(value: number, limit: number): boolean {
  return value <= limit || isEqual(value, limit);
}

/** Whether a number is a whole number of steps, as `multipleOf` of JSON Schema asks: 0.3 is one of 0.1. */
export function isMultipleOf(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const steps = Math.round(value / step);
  return Number.isFinite(steps) && isEqual(steps * step, value);
}
