/**
 * A rubric's threshold t in 0–1 on the judges' scale of 1–5: `clamp(floor(t·5 + 0.5), 1, 5)`, AgentCI's documented formula
 * with its table's lower end (0 → 1).
 */
export function mapThreshold(threshold: number): number {
  return Math.min(5, Math.max(1, Math.floor(threshold * 5 + 0.5)));
}
