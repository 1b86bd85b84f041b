import type { CheckResult } from "../../../../model/verdict.ts";
import type { MetricName } from "./instruments.ts";
import { wordList } from "../../../structures/word-list.ts";

/**
 * Names of the histograms of check values, by unit. Each unit has its own histogram, so that buckets fit the values and sums are
 * meaningful.
 */
const histograms = {
  tokens: "tracejury.check.tokens",
  usd: "tracejury.check.cost",
  milliseconds: "tracejury.check.duration",
  ratio: "tracejury.check.ratio",
  percent: "tracejury.check.ratio",
  count: "tracejury.check.count",
  rating: "tracejury.check.rating",
  unknown: "tracejury.check.custom",
} as const satisfies Readonly<Record<string, MetricName>>;

export type ValueUnit = keyof typeof histograms;

/** Factor that converts the unit of a check value into the unit of its histogram. */
const factors: Readonly<Partial<Record<ValueUnit, number>>> = { milliseconds: 0.001, percent: 0.01 };

/** Metrics of checks, by unit. Metrics whose unit is unknown are not listed, such as scores of retrievers and values of user checks. */
const metricsByUnit: Readonly<Record<Exclude<ValueUnit, "unknown">, readonly string[]>> = {
  tokens: ["total_tokens", "schema_overhead"],
  usd: ["cost_usd"],
  milliseconds: ["latency_ms"],
  percent: ["score"],
  ratio: wordList(`
    tool_recall tool_precision tool_f1 tool_call_accuracy tool_category_recall sequence_similarity
    rouge_1 progress strategic_drift trust coherence cfp pr_revert_rate cost_multiplier
    skill_efficiency token_efficiency impl_rate judged_share goal_accuracy topic_adherence
  `),
  count: wordList(`
    tool_calls tool_errors loops handoffs anomalies llm_calls ungrounded_values
    agent_budgets_exceeded tool_budgets_exceeded token_shares_missed spans retrieval.forbid_empty
    retrieval.min_results retrieval.max_results retrieval.expected_sources
    retrieval.facts_in_context
  `),
  rating: ["llm_judge", "safety_check", "hallucination_check", "refutes_premise", "spans.judge"],
};

const unitByMetric: ReadonlyMap<string, ValueUnit> = new Map(
  Object.entries(metricsByUnit).flatMap(([unit, metrics]) =>
    metrics.map((metric) => [metric, unit as ValueUnit] as const),
  ),
);

export function unitOf(metric: string): ValueUnit {
  return unitByMetric.get(metric) ?? "unknown";
}

/**
 * Returns the histogram and the value to record for a check result; undefined if the result is not a number.
 */
export function recordedValue({
  metric,
  value,
}: CheckResult): { readonly histogram: MetricName; readonly amount: number } | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const unit = unitOf(metric);
  return { histogram: histograms[unit], amount: value * (factors[unit] ?? 1) };
}
