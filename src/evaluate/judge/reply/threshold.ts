/**
 * Maps a rubric's threshold t of 0–1 to the judges' scale of 1–5: `clamp(floor(t·5 + 0.5), 1, 5)`. The
 * formula is AgentCI's documented one with the lower end of its table (0 → 1).
 */
export function mapThreshold(threshold: number): number {
  return Math.min(5, Math.max(1, Math.floor(threshold * 5 + 0.5)));
}
