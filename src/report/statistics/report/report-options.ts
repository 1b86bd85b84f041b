import type { PercentileMethod } from "./describe.ts";
import type { Adjustment } from "../tests/multiple-testing.ts";
import type { ReliabilityLimits } from "../groups/reliability.ts";

export type IntervalMethod = "wilson" | "z";

export interface ReportOptions {
  /**
   * Name of the property by which runs are grouped: `query`, `agent`, `model` or an attribute. Only
   * displayed.
   */
  readonly groupBy: string;
  /** Key of the group with which all groups are compared. Null compares all pairs of a few groups. */
  readonly base: string | null;
  /** Confidence of two-sided intervals. The default is 0.95. */
  readonly confidence?: number | undefined;
  /** Values of k for pass@k and pass^k. The default is 1 to 10 and the number of decided runs. */
  readonly ks?: readonly number[] | undefined;
  /** Reliability limits of groups whose runs have no gate. By default, there are no limits. */
  readonly reliability?: ReliabilityLimits | undefined;
  /** Seed of the bootstrap. The default is 42. */
  readonly seed?: number | undefined;
  /**
   * Number of resamples of the bootstrap. The default is 2,000, and for very many runs less, but at least
   * 200.
   */
  readonly resamples?: number | undefined;
  /**
   * Metrics with a confidence interval of the mean.
   * The default is cost, tokens, latency, score, `impl_rate` and composite.
   */
  readonly intervals?: readonly string[] | undefined;
  /**
   * Metrics that are compared between groups, besides the pass rate. The default is cost, tokens, latency
   * and score.
   */
  readonly compared?: readonly string[] | undefined;
  /** Correction for multiple comparisons. The default is Holm's correction. */
  readonly adjustment?: Adjustment | undefined;
  /** Method of percentiles. The default is linear interpolation. */
  readonly percentile?: PercentileMethod | undefined;
  /** Method of intervals. The default is Wilson's interval for rates and the bootstrap for means. */
  readonly interval?: IntervalMethod | undefined;
  /** `full` adds sensitivity, transitions, ablation, power and the agreement between judges. */
  readonly statistics?: "standard" | "full" | undefined;
}

/** Options of a report, with default values for the options that were not given. */
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

/** Maximum number of random values for all bootstrap intervals of a report, which take about a second. */
const mostDraws = 1e8;

/** Returns the options with default values. The default number of resamples depends on the number of runs. */
export function resolveOptions(options: ReportOptions, runs: number): ReportSettings {
  const intervals = options.intervals ?? usualIntervals;
  // The maximum is divided among at most three metrics, because most groups have no scores.
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
