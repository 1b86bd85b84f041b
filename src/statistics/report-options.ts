import type { ReliabilityLimits } from "./reliability.ts";

export interface ReportOptions {
  /** What the keys are: `query`, `agent`, `model`, or an attribute's name. Only shown. */
  readonly groupBy: string;
  /** The key of the group that others are compared with; null compares every two (of few). */
  readonly base: string | null;
  /** Of the intervals, two-sided; 0.95 when absent. */
  readonly confidence?: number | undefined;
  /** For which k to estimate; 1 to 10 and the number of decided runs when absent. */
  readonly ks?: readonly number[] | undefined;
  /** The gate; none when absent. */
  readonly reliability?: ReliabilityLimits | undefined;
  /** Of the bootstrap; 42 when absent. */
  readonly seed?: number | undefined;
  /** Of the bootstrap; 2,000 when absent. Very large groups get fewer, at least 200. */
  readonly resamples?: number | undefined;
  /** Metrics whose mean gets a bootstrap interval; cost, tokens and latency when absent. */
  readonly intervals?: readonly string[] | undefined;
  /** Metrics compared between groups besides the pass rate; cost, tokens, latency and score when absent. */
  readonly compared?: readonly string[] | undefined;
}

/** Values drawn for one bootstrap interval: what keeps a report of very many runs quick. */
const mostDraws = 2e7;

/** The options with their defaults, for a group of so many runs. */
export function withDefaults(options: ReportOptions, runs: number) {
  const resamples = options.resamples ?? 2_000;
  return {
    confidence: options.confidence ?? 0.95,
    seed: options.seed ?? 42,
    resamples: Math.min(resamples, Math.max(200, Math.floor(mostDraws / Math.max(1, runs)))),
    intervals: options.intervals ?? ["cost_usd", "total_tokens", "latency_ms"],
    compared: options.compared ?? ["cost_usd", "total_tokens", "latency_ms", "score"],
  };
}
