import type { PercentileMethod } from "./describe.ts";
import type { Adjustment } from "../tests/multiple-testing.ts";
import type { ReliabilityLimits } from "../groups/reliability.ts";

export type IntervalMethod = "wilson" | "z";

export interface ReportOptions {
  /** Kind of keys: `query`, `agent`, `model`, or an attribute name. For display only. */
  readonly groupBy: string;
  /** Key of the group with which others are compared; null compares every two groups, if there are few. */
  readonly base: string | null;
  /** Two-sided confidence of the intervals. Default: 0.95. */
  readonly confidence?: number | undefined;
  /** Values of k to estimate. Default: 1 to 10 and the number of decided runs. */
  readonly ks?: readonly number[] | undefined;
  /** Gate of groups whose runs have no gate. Default: none. */
  readonly reliability?: ReliabilityLimits | undefined;
  /** Seed of the bootstrap. Default: 42. */
  readonly seed?: number | undefined;
  /** Resamples of the bootstrap. Default: 2,000; for very many runs fewer, at least 200. */
  readonly resamples?: number | undefined;
  /**
   * Metrics whose mean gets a bootstrap interval. Default: cost, tokens, latency, score, `impl_rate` and
   * composite.
   */
  readonly intervals?: readonly string[] | undefined;
  /** Metrics compared between groups besides the pass rate. Default: cost, tokens, latency and score. */
  readonly compared?: readonly string[] | undefined;
  /** Correction for multiple comparisons. Default: Holm's. */
  readonly adjustment?: Adjustment | undefined;
  /** Method of percentiles: linear interpolation (default), or the nearest rank. */
  readonly percentile?: PercentileMethod | undefined;
  /** Interval of rates and means: Wilson's and the bootstrap's (default), or mean ± z·s/√n. */
  readonly interval?: IntervalMethod | undefined;
  /** `full` adds sensitivity, transitions, ablation, power and the agreement of judges. */
  readonly statistics?: "standard" | "full" | undefined;
}

/** The options with their defaults. */
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

/** Maximum number of values drawn for all bootstrap intervals of a report; it takes about a second. */
const mostDraws = 1e8;

/** Adds the defaults; some depend on the number of runs. */
export function resolveOptions(options: ReportOptions, runs: number): ReportSettings {
  const intervals = options.intervals ?? usualIntervals;
  // Few groups have scores in addition to the usual measures, so the draws are divided among the usual number
  // of metrics.
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
