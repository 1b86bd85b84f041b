import type { AgentRun } from "../../model/run.ts";
import type { CheckContext } from "../checks/check.ts";
import { retries, stalledCalls, unrecoveredErrors } from "../metrics/anomalies.ts";
import { longestCycle } from "../metrics/loops.ts";
import { editSimilarity, sequenceSimilarity } from "../metrics/sequences/sequence-similarity.ts";
import {
  holdsComponents,
  skillEfficiency,
  tokenComponents,
  tokenEfficiency,
  tokenShare,
  tokensOf,
} from "../metrics/token-components.ts";
import { f1, toolPrecision, toolRecall } from "../metrics/tool-sets.ts";
import { anomalyCount, coherenceIn, trustIn } from "../checks/path/behaviour-checks.ts";
import { changesShare } from "../checks/path/change-checks.ts";
import { progressOf } from "../checks/path/progress-check.ts";
import { driftOf } from "../checks/path/strategic-drift-check.ts";
import { sequenceLikeness } from "../checks/path/tools/tool-order.ts";
import { accuracyOf } from "../checks/path/tools/tool-call-accuracy-check.ts";
import { expectedSteps, expectedTools } from "../rules/references.ts";
import { isExpectedBy, wasCalledBy } from "../rules/tool-names.ts";

export type Metrics = Map<string, number | null>;

/**
 * Returns the metrics of a verdict, including those that no check uses; `trust` only if the spec has `min_trust`. A metric is null if it is
 * unknown or its reference is missing.
 * @param path context of the path layer
 * @param cost context of the cost layer
 */
export function allMetrics(path: CheckContext, cost: CheckContext): Metrics {
  const metrics: Metrics = new Map();
  addTools(metrics, path);
  addSequence(metrics, path);
  addAnomalies(metrics, path);
  addProcess(metrics, path);
  addCost(metrics, cost);
  addTokenComponents(metrics, cost.run);
  return metrics;
}

function addTools(metrics: Metrics, context: CheckContext): void {
  const { toolNames, toolErrors, toolsMissing, knownNames } = context.metrics;
  const expected = expectedTools(context);
  const known = knownNames !== null && expected !== undefined;
  const { preset } = context;
  const recall = known ? toolRecall(expected.names, knownNames, wasCalledBy(preset)) : null;
  const precision = known
    ? toolPrecision(expected.names, knownNames, isExpectedBy(preset, expected.names))
    : null;
  metrics.set("tool_calls", toolsMissing === "tools" ? null : toolNames.length);
  metrics.set("tool_errors", toolsMissing === "tools" ? null : toolErrors);
  metrics.set("tool_recall", recall);
  metrics.set("tool_precision", precision);
  metrics.set("tool_f1", recall === null || precision === null ? null : f1(precision, recall));
  metrics.set("tool_call_accuracy", accuracyOf(context));
}

function addSequence(metrics: Metrics, context: CheckContext): void {
  const { knownNames } = context.metrics;
  const similarity = (of: typeof editSimilarity): number | null => sequenceLikeness(context, of);
  metrics.set("sequence_similarity", similarity(sequenceSimilarity));
  metrics.set("edit_similarity", similarity(editSimilarity));
  metrics.set("loops", knownNames === null ? null : context.metrics.loops);
  metrics.set("same_argument_loops", sameArgumentLoops(context));
  metrics.set("cycle_repeats", knownNames === null ? null : cycleRepeats(knownNames));
}

function addAnomalies(metrics: Metrics, context: CheckContext): void {
  const { knownNames, used } = context.metrics;
  const steps = expectedSteps(context);
  const made = progressOf(context);
  metrics.set("retries", knownNames === null ? null : retries(used));
  metrics.set("stalled_calls", knownNames === null ? null : stalledCalls(used));
  metrics.set("unrecovered_errors", knownNames === null ? null : unrecoveredErrors(used));
  const isOpen = made === null || knownNames === null || made.openAgents.length > 0;
  const skipped = steps === null || isOpen ? null : made.open.length;
  metrics.set("skipped_steps", skipped);
  metrics.set("anomalies", anomalyCount(context));
  // Trust reads all results and texts of a run, so it is computed only if the spec has its check.
  if (context.settings["min_trust"] !== undefined) metrics.set("trust", trustIn(context));
  if (context.run.turns !== undefined) metrics.set("coherence", coherenceIn(context));
}

/** Returns the number of loops with equal arguments. Null if a tool's name or needed arguments are unknown. */
function sameArgumentLoops({ metrics }: CheckContext): number | null {
  if (metrics.knownNames === null) return null;
  if (metrics.loops < 2) return 0;
  return metrics.used.some((call) => call.arguments === undefined) ? null : metrics.sameArgumentLoops;
}

/** Returns how often the longest cycle over several tools is repeated: 1 for A, B, A, B; 0 without a cycle. */
function cycleRepeats(names: readonly string[]): number {
  const cycle = longestCycle(names);
  return cycle === undefined ? 0 : cycle.turns - 1;
}

function addProcess(metrics: Metrics, context: CheckContext): void {
  const { run } = context;
  const made = progressOf(context);
  const unknown = context.metrics.toolsMissing !== undefined || (made?.openAgents.length ?? 0) > 0;
  metrics.set("progress", made === null || unknown ? null : made.share);
  metrics.set("progress_raw", made === null || unknown ? null : made.raw);
  metrics.set("strategic_drift", driftOf(context));
  metrics.set("handoffs", context.metrics.lacks("handoffs") ? null : run.handoffs.length);
  metrics.set("cfp", changesShare(run, "failed"));
  metrics.set("pr_revert_rate", changesShare(run, "reverted"));
}

function addCost(metrics: Metrics, context: CheckContext): void {
  const { run, reference, settings } = context;
  const { totalTokens, costUsd, durationMs } = context.metrics;
  metrics.set("total_tokens", totalTokens);
  metrics.set("input_tokens", run.usage.input);
  metrics.set("output_tokens", run.usage.output);
  metrics.set("cached_tokens", run.usage.cached);
  metrics.set("cache_write_tokens", run.usage.cacheWrite);
  metrics.set("reasoning_tokens", run.usage.reasoning);
  metrics.set("llm_calls", run.llmCalls);
  metrics.set("latency_ms", durationMs);
  metrics.set("cost_usd", costUsd);
  metrics.set("cost_multiplier", ratio(costUsd, "missing" in reference ? null : reference.costUsd));
  metrics.set("token_ratio", ratio(totalTokens, limitOf(settings["max_total_tokens"])));
  metrics.set("latency_ratio", ratio(durationMs, limitOf(settings["max_latency_ms"])));
}

function addTokenComponents(metrics: Metrics, { attributes, usage, totalTokens }: AgentRun): void {
  const isReported = holdsComponents(attributes);
  const skill = isReported ? tokensOf(attributes, "skill_prompt") : null;
  const schema = isReported ? tokensOf(attributes, "tool_schema") : null;
  metrics.set("schema_overhead", schema);
  metrics.set("skill_efficiency", skillEfficiency(skill, schema));
  metrics.set("token_efficiency", tokenEfficiency(skill, schema));
  metrics.set("cached_share", tokenShare(usage.cached, totalTokens));
  metrics.set("cache_write_share", tokenShare(usage.cacheWrite, totalTokens));
  metrics.set("reasoning_share", tokenShare(usage.reasoning, totalTokens));
  if (!isReported) return;
  for (const component of tokenComponents) {
    const tokens = tokensOf(attributes, component);
    if (tokens !== null) metrics.set(`token_share.${component}`, tokenShare(tokens, totalTokens));
  }
}

function limitOf(written: unknown): number | null {
  return typeof written === "number" ? written : null;
}

/**
 * Returns actual / reference, for AgentCI's cost multiplier, token ratio and latency ratio. Null if a value is unknown, or the reference is
 * not above 0.
 */
function ratio(actual: number | null, reference: number | null): number | null {
  return actual === null || reference === null || reference <= 0 ? null : actual / reference;
}
