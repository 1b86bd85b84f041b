/**
 * Maps a rubric's threshold t (0–1) to the scale 1–5: `clamp(floor(t·5 + 0.5), 1, 5)`. The formula is from AgentCI's documentation, whose
 * table also maps the threshold 0 to the score 1.
 */
export function mapThreshold(threshold: number): number {
  return Math.min(5, Math.max(1, Math.floor(threshold * 5 + 0.5)));
}
