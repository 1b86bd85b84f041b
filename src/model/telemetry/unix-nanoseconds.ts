/**
 * Converts milliseconds since 1970 into nanoseconds; 0 for an invalid time. Whole and fractional milliseconds
 * are converted separately, because milliseconds × 10⁶ exceeds the precision of a double.
 */
export function unixNanoseconds(unixMs: number): bigint {
  if (!(unixMs > 0) || unixMs === Infinity) return 0n;
  const whole = Math.floor(unixMs);
  return BigInt.asUintN(64, BigInt(whole) * 1_000_000n + BigInt(Math.round((unixMs - whole) * 1e6)));
}
