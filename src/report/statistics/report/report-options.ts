import type { PercentileMethod } from "./describe.ts";
import type { Adjustment } from "../tests/multiple-testing.ts";

export type IntervalMethod = "wilson" | "z";

/** Settings of a report. */
export interface ReportSettings {
  /** What runs are grouped by: `query`, `agent`, `model` or an attribute. */
  readonly groupBy: string;
  /**
   * Key of the group with which each other group is compared. If null, all pairs of groups are compared; if there are many groups, none.
   */
  readonly base: string | null;
  /** Confidence of two-sided intervals. The default is 0.95. */
  readonly confidence: number;
  /** Seed of the bootstrap. The default is 42. */
  readonly seed: number;
  /**
   * Number of resamples of the bootstrap. The default is 2,000. For very many runs, the number is lowered,
   * but not below 200.
   */
  readonly resamples: number;
  /** Correction for multiple comparisons. The default is Holm's correction. */
  readonly adjustment: Adjustment;
  /** Method of percentiles. The default is linear interpolation. */
  readonly percentile: PercentileMethod;
  /**
   * Method of confidence intervals. By default, rates get Wilson's interval, and means get a bootstrap
   * interval.
   */
  readonly interval: IntervalMethod;
  /** `full` adds sensitivity, transitions, ablation, test power, and judge agreement. */
  readonly statistics: "standard" | "full";
}

type Optional = Omit<ReportSettings, "groupBy" | "base">;

/** Settings of a report, of which those with a default may be omitted. */
export type ReportOptions = Pick<ReportSettings, "groupBy" | "base"> & {
  readonly [Key in keyof Optional]?: Optional[Key] | undefined;
};

/** Metrics whose mean gets a confidence interval. */
export const metricsWithInterval: readonly string[] = [
  "cost_usd",
  "total_tokens",
  "latency_ms",
  "score",
  "impl_rate",
  "composite",
];

/** Metrics that are compared between groups, in addition to the pass rate. */
export const comparedMetrics: readonly string[] = ["cost_usd", "total_tokens", "latency_ms", "score"];

/**
 * Maximum number of random values for all bootstrap intervals of a report. Drawing 1e8 values takes about a
 * second.
 */
const mostDraws = 1e8;

/**
 * Returns the options with defaults for omitted options. The default number of resamples depends on the
 * number of runs.
 */
export function resolveOptions(options: ReportOptions, runs: number): ReportSettings {
  // Three metrics are counted, because most groups have only the metrics cost, tokens and latency.
  const affordable = Math.floor(mostDraws / Math.max(1, runs * 3));
  return {
    groupBy: options.groupBy,
    base: options.base,
    confidence: options.confidence ?? 0.95,
    seed: options.seed ?? 42,
    resamples: Math.min(options.resamples ?? 2_000, Math.max(200, affordable)),
    adjustment: options.adjustment ?? "holm",
    percentile: options.percentile ?? "linear",
    interval: options.interval ?? "wilson",
    statistics: options.statistics ?? "standard",
  };
}
