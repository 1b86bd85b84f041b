import { mean, sum, type Sample } from "../samples/moments.ts";
import { twoSidedT } from "../tests/student-t.ts";

/** Standard error of a mean whose values belong to clusters, such as the runs of one query. */
export interface ClusteredError {
  /** Number of clusters, one for each query. */
  readonly clusters: number;
  readonly standardError: number;
  /**
   * Lower limit of the interval: mean − t · standard error. The degrees of freedom of t are clusters − 1.
   * `high` is the upper limit of the interval.
   */
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the cluster-robust standard error of the mean: √(G/(G − 1) · Σ(Σ(x − mean))²)/n. G is the number of
 * clusters; the inner sum is over the values of one cluster. With one value in each cluster, the error is
 * s/√n. Returns null for fewer than two clusters. Source: Liang and Zeger, Biometrika 73 (1986), with the
 * small-sample factor of statsmodels. Miller, "Adding Error Bars to Evals" (2024), recommends this standard
 * error for evaluations.
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
