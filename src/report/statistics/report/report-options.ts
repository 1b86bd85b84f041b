import type { PercentileMethod } from "./describe.ts";
import type { Adjustment } from "../tests/multiple-testing.ts";
import type { ReliabilityLimits } from "../groups/reliability.ts";

export type IntervalMethod = "wilson" | "z";

export interface ReportOptions {
  /** Kind of keys: `query`, `agent`, `model`, or an attribute name. For display only. */
  readonly groupBy: string;
  /** The key of the group that others are compared with; null compares every two (of few). */
  readonly base: string | null;
  /** Two-sided confidence of the intervals. Default: 0.95. */
  readonly confidence?: number | undefined;
  /** For which k to estimate; 1 to 10 and the number of decided runs when absent. */
  readonly ks?: readonly number[] | undefined;
  /** The gate of groups whose runs have none of their own; none when absent. */
  readonly reliability?: ReliabilityLimits | undefined;
  /** Seed of the bootstrap. Default: 42. */
  readonly seed?: number | undefined;
  /** Resamples of the bootstrap. Default: 2,000; for very many runs fewer, at least 200. */
  readonly resamples?: number | undefined;
  /** Metrics whose mean gets a bootstrap interval; cost, tokens, latency, score, `impl_rate` and composite when absent. */
  readonly intervals?: readonly string[] | undefined;
  /** Metrics compared between groups besides the pass rate; cost, tokens, latency and score when absent. */
  readonly compared?: readonly string[] | undefined;
  /** The correction for many comparisons; Holm's when absent. */
  readonly adjustment?: Adjustment | undefined;
  /** How percentiles are read off: by linear interpolation when absent, or by the nearest rank. */
  readonly percentile?: PercentileMethod | undefined;
  /** The interval of rates and means: Wilson's and the bootstrap's when absent, or mean ± z·s/√n. */
  readonly interval?: IntervalMethod | undefined;
  /** `full` adds sensitivity, transitions, ablation, power and the agreement of judges. */
  readonly statistics?: "standard" | "full" | undefined;
}

/** The options with their defaults filled in. */
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

/** Values drawn for all bootstrap intervals of a report: about a second's work. */
const mostDraws = 1e8;

/** Fills in the defaults; some depend on the number of runs. */
export function resolveOptions(options: ReportOptions, runs: number): ReportSettings {
  const intervals = options.intervals ?? usualIntervals;
  // Few groups have scores beside what every run measures: the draws are shared out among as many metrics as are usually there.
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
