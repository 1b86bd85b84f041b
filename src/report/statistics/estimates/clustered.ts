import { mean, sum, type Sample } from "../samples/moments.ts";
import { twoSidedT } from "../tests/student-t.ts";

/** The error of a mean whose values come in clusters. */
export interface ClusteredError {
  /** Values of one query are one cluster. */
  readonly clusters: number;
  readonly standardError: number;
  /** mean ± t · standard error, with one degree of freedom less than clusters. */
  readonly low: number;
  readonly high: number;
}

/**
 * Standard error and interval of the mean of all values when values of one cluster resemble each other:
 * √(G/(G − 1) · Σ(Σ(x − mean))²)/n, the inner sum over one of G clusters. One value a cluster gives s/√n. Null
 * for fewer than two clusters. Source: Liang and Zeger, Biometrika 73 (1986), with the small-sample factor of
 * statsmodels; recommended for evaluations by Miller, "Adding Error Bars to Evals" (2024).
 */
export function clusteredError(clusters: readonly Sample[], confidence: number): ClusteredError | null {
  const filled = clusters.filter((values) => values.length > 0);
  if (filled.length < 2) return null;
  const all = Float64Array.from(filled.flatMap((values) => Array.from(values)));
  const centre = mean(all) ?? 0;
  const deviations = filled.map((values) => sum(Float64Array.from(values, (value) => value - centre)) ** 2);
  const correction = filled.length / (filled.length - 1);
  const standardError = Math.sqrt(correction * sum(deviations)) / all.length;
  const half = twoSidedT(confidence, filled.length - 1) * standardError;
  return { clusters: filled.length, standardError, low: centre - half, high: centre + half };
}
