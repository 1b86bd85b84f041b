import { mean, sum, type Sample } from "../samples/moments.ts";
import { twoSidedT } from "../tests/student-t.ts";

/** Standard error of a mean whose values come in clusters. */
export interface ClusteredError {
  /** Number of clusters; the values of one query are a cluster. */
  readonly clusters: number;
  readonly standardError: number;
  /**
   * Lower limit: mean − t · standard error, with one degree of freedom less than clusters; `high` is the
   * upper limit.
   */
  readonly low: number;
  readonly high: number;
}

/**
 * Returns standard error and interval of the mean if values of one cluster are similar: √(G/(G − 1) · Σ(Σ(x −
 * mean))²)/n, where the inner sum is over one of G clusters. If each cluster has one value, the standard
 * error is s/√n. Null for fewer than two clusters. Source: Liang and Zeger, Biometrika 73 (1986), with the
 * small-sample factor of statsmodels; recommended for evaluations by Miller, "Adding Error Bars to Evals"
 * (2024).
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
