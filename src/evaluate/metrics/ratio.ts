/**
 * Returns actual / reference, for AgentCI's cost multiplier, token ratio and latency ratio. Null if a value is unknown, or the reference is
 * not above 0.
 */
export function ratio(actual: number | null, reference: number | null): number | null {
  return actual === null || reference === null || reference <= 0 ? null : actual / reference;
}
