import { mean, sampleStdDev, type Sample } from "../samples/moments.ts";

/**
 * Returns 1 − s/|mean| with the sample standard deviation, limited to [0, 1]: 1 for equal values
 * (ProjectScylla). Null for fewer than two values and for a mean of 0, where ProjectScylla has 0 in one place
 * and 1 in another.
 */
export function consistency(values: Sample): number | null {
  const centre = mean(values);
  const spread = sampleStdDev(values);
  if (centre === null || spread === null || centre === 0) return null;
  return Math.max(0, Math.min(1, 1 - spread / Math.abs(centre)));
}
