/**
 * Converts milliseconds since 1970 into nanoseconds; 0 for an invalid time. Whole milliseconds and their fraction are converted separately,
 * because a double cannot represent milliseconds × 10⁶ exactly.
 */
export function unixNanoseconds(unixMs: number): bigint {
  if (!(unixMs > 0) || unixMs === Infinity) return 0n;
  const whole = Math.floor(unixMs);
  return BigInt.asUintN(64, BigInt(whole) * 1_000_000n + BigInt(Math.round((unixMs - whole) * 1e6)));
}
