import { mean, sampleStdDev, type Sample } from "../samples/moments.ts";

/**
 * Returns ProjectScylla's consistency 1 − s/|mean|, limited to [0, 1]; s is the sample standard deviation.
 * Returns null for fewer than two values. For a mean of 0, ProjectScylla's definitions contradict each other,
 * so null is returned.
 */
export function consistency(values: Sample): number | null {
  const centre = mean(values);
  const spread = sampleStdDev(values);
  if (centre === null || spread === null || centre === 0) return null;
  return Math.max(0, Math.min(1, 1 - spread / Math.abs(centre)));
}
