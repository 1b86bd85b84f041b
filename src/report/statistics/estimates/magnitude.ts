export type Magnitude = "negligible" | "small" | "medium" | "large";

/**
 * Returns the magnitude of a Cliff's delta by the limits of Romano et al. (2006), as in ProjectScylla: 0.11,
 * 0.28 and 0.43.
 */
export function magnitude(delta: number): Magnitude {
  const size = Math.abs(delta);
  if (size < 0.11) return "negligible";
  if (size < 0.28) return "small";
  return size < 0.43 ? "medium" : "large";
}
