import { mean, sampleStdDev, type Sample } from "../samples/moments.ts";

/**
 * Returns 1 − s/|mean|, limited to [0, 1], where s is the sample standard deviation (ProjectScylla).
 * Returns null for fewer than two values, and for a mean of 0.
 * For a mean of 0, ProjectScylla's definitions contradict each other.
 */
export function consistency(values: Sample): number | null {
  const centre = mean(values);
  const spread = sampleStdDev(values);
  if (centre === null || spread === null || centre === 0) return null;
  return Math.max(0, Math.min(1, 1 - spread / Math.abs(centre)));
}
