import type { PercentileMethod } from "./describe.ts";
import type { Adjustment } from "../tests/multiple-testing.ts";
import type { ReliabilityLimits } from "../groups/reliability.ts";

export type IntervalMethod = "wilson" | "z";

export interface ReportOptions {
  /** What runs are grouped by: `query`, `agent`, `model` or an attribute. */
  readonly groupBy: string;
  /**
   * Key of the group with which all other groups are compared. If null, all pairs are compared, unless there
   * are many groups.
   */
  readonly base: string | null;
  /** Confidence of two-sided intervals. The default is 0.95. */
  readonly confidence?: number | undefined;
  /** Values of k for pass@k and pass^k. The default is 1 to 10 and the number of decided runs. */
  readonly ks?: readonly number[] | undefined;
  /** Reliability limits for groups whose runs have no gate. By default, there are no limits. */
  readonly reliability?: ReliabilityLimits | undefined;
  /** Seed of the bootstrap. The default is 42. */
  readonly seed?: number | undefined;
  /**
   * Number of resamples of the bootstrap. The default is 2,000. For very many runs, the number is lowered,
   * but not below 200.
   */
  readonly resamples?: number | undefined;
  /**
   * Metrics whose mean gets a confidence interval. The default is cost, tokens, latency, score, `impl_rate`
   * and composite.
   */
  readonly intervals?: readonly string[] | undefined;
  /**
   * Metrics that are compared between groups, in addition to the pass rate. The default is cost, tokens,
   * latency and score.
   */
  readonly compared?: readonly string[] | undefined;
  /** Correction for multiple comparisons. The default is Holm's correction. */
  readonly adjustment?: Adjustment | undefined;
  /** Method of percentiles. The default is linear interpolation. */
  readonly percentile?: PercentileMethod | undefined;
  /**
   * Method of confidence intervals. By default, rates get Wilson's interval, and means get a bootstrap
   * interval.
   */
  readonly interval?: IntervalMethod | undefined;
  /** `full` adds sensitivity, transitions, ablation, power, and the agreement of judges. */
  readonly statistics?: "standard" | "full" | undefined;
}

/** Options of a report, with defaults for omitted options. */
export interface ReportSettings {
  readonly groupBy: string;
  readonly base: string | null;
  readonly confidence: number;
  readonly ks: readonly number[] | undefined;
  readonly reliability: ReliabilityLimits | undefined;
  readonly seed: number;
  readonly resamples: number;
  readonly intervals: readonly string[];
  readonly compared: readonly string[];
  readonly adjustment: Adjustment;
  readonly percentile: PercentileMethod;
  readonly interval: IntervalMethod;
}

const usualIntervals = ["cost_usd", "total_tokens", "latency_ms", "score", "impl_rate", "composite"];

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
  const intervals = options.intervals ?? usualIntervals;
  // At most three metrics are counted, because most groups have only the metrics cost, tokens and latency.
  const affordable = Math.floor(mostDraws / Math.max(1, runs * Math.min(3, intervals.length)));
  return {
    groupBy: options.groupBy,
    base: options.base,
    confidence: options.confidence ?? 0.95,
    ks: options.ks,
    reliability: options.reliability,
    seed: options.seed ?? 42,
    resamples: Math.min(options.resamples ?? 2_000, Math.max(200, affordable)),
    intervals,
    compared: options.compared ?? ["cost_usd", "total_tokens", "latency_ms", "score"],
    adjustment: options.adjustment ?? "holm",
    percentile: options.percentile ?? "linear",
    interval: options.interval ?? "wilson",
  };
}
