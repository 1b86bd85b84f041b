/**
 * Returns actual / reference: AgentCI's cost multiplier, token ratio or latency ratio. Returns null if either
 * is unknown or the reference is 0.
 */
export function ratio(actual: number | null, reference: number | null): number | null {
  return actual === null || reference === null || reference <= 0 ? null : actual / reference;
}
