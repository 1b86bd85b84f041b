import type { Field } from "../../../adapters/field-names.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { AgentRun, Usage } from "../../model/run.ts";
import { isUsageRecord } from "../calls/innermost.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { findCounts } from "../notations/usage.ts";
import { explained, passed, type RawSource, sourcesOf, spansOf } from "./sources.ts";

const counts: readonly (readonly [
  fact: string,
  count: Exclude<keyof Usage, "longCacheWrite">,
  field: Field,
])[] = [
  ["input_tokens", "input", "inputTokens"],
  ["output_tokens", "output", "outputTokens"],
  ["cached_tokens", "cached", "cachedTokens"],
  ["reasoning_tokens", "reasoning", "reasoningTokens"],
];

/** Explains the token counts of a run: by the summed attributes of its model calls, with the rejected sums on other spans. */
export function explainTokens(run: AgentRun, evidence: Evidence): Explanation[] {
  const calls = new Set(evidence.calls.flatMap(spansOf));
  const others = evidence.nodes.filter((node) => !calls.has(node));
  return counts.map(([fact, count, field]) => {
    const value = run.usage[count];
    const ofCalls = evidence.calls.flatMap((call) => firstOf(spansOf(call), field));
    // If no call has counts, the sums of agent spans may be used.
    const from =
      value === null ? [] : run.llmCalls === null || ofCalls.length === 0 ? summed(evidence, field) : ofCalls;
    const used = new Set((from.length > 0 ? from : ofCalls).map(({ spanId }) => spanId));
    const note =
      value === null
        ? "the telemetry does not have this count for every model call, so the sum is unknown"
        : noteOf(count, evidence);
    return explained(fact, value, value === null || from.length > 0 ? from : ofCalls, {
      passedOver: others.flatMap((node) =>
        used.has(node.span.spanId)
          ? []
          : sourcesOf(node, field)
              .slice(0, 1)
              .map((source) => passed(source, reason(node, evidence), 7)),
      ),
      note,
      rule: note === null ? null : 7,
    });
  });
}

/** Explains the cost of a run: by the costs that its model calls report, or by the prices that their tokens are multiplied with. */
export function explainCost(run: AgentRun, evidence: Evidence): Explanation {
  const from = evidence.calls.flatMap((call) =>
    spansOf(call)
      .flatMap((node) => sourcesOf(node, "cost"))
      .slice(0, 1),
  );
  const note =
    run.costUsd === null
      ? "a call has no price or no token counts, so the sum is unknown"
      : from.length === 0
        ? `tokens times the prices of ${run.priceSource ?? "the price table"}`
        : null;
  return explained("cost_usd", run.costUsd, from, { note });
}

/**
 * Returns the first source of counts in a call's spans. A source is an attribute with one count, an attribute with several counts, or a
 * recorded response.
 */
function firstOf(nodes: readonly SpanFacts[], field: Field): RawSource[] {
  const found = nodes.flatMap((node) => [
    ...sourcesOf(node, field),
    ...sourcesOf(node, "usage"),
    ...(["output", "outputMessages", "metadata", "history"] as const)
      .flatMap((place) => sourcesOf(node, place))
      .filter(({ raw }) => findCounts(raw) !== undefined),
  ]);
  return found.slice(0, 1);
}

function summed({ agentNodes }: Evidence, field: Field): RawSource[] {
  return agentNodes.flatMap((node) => firstOf([node], field));
}

function reason(node: SpanFacts, { calls, failedCalls }: Evidence): string {
  if (isUsageRecord(node))
    return "this span has usage, but no operation, no messages and no finish reason, so it is not a model call";
  const { role } = node;
  if (role === "call" && calls.length + failedCalls.length === 0)
    return "the span has no text, and no number of input or output tokens, so it is not counted as a model call";
  if (role === "call") return "another span of a model call that is already counted, or a failed attempt";
  if (role === "embedding" || role === "reranker") return `${role}s are not model calls`;
  return "this value is the sum of model calls that are counted separately";
}

function noteOf(count: keyof Usage, { calls }: Evidence): string | null {
  const sums = calls.filter(({ before }) => before !== null).length;
  if (sums > 0)
    return `${sums} of ${calls.length} model calls report the sum of all calls so far, so the difference to the previous call is counted`;
  const changed = calls.filter((call) => {
    const own = count === "input" ? call.counts.input : count === "output" ? call.counts.output : undefined;
    return own !== undefined && call.usage[count] !== own;
  });
  if (changed.length === 0) return null;
  const where = `in ${changed.length} of ${calls.length} calls`;
  if (count === "output" && changed.some(isOfTotal))
    return `the reported total is larger than input plus output: the difference, mostly reasoning, is added to the output ${where}`;
  const part = count === "input" ? "cached tokens (read or written)" : "reasoning tokens";
  return `${part} are missing from the producer's count and are added ${where}`;
}

/**
 * Whether the output count was derived from the reported total, because the output count lacks reasoning tokens and the call reports none.
 */
function isOfTotal({ counts: { total, output, reasoning }, usage }: LlmCall): boolean {
  return total !== undefined && usage.output !== (output ?? 0) + (reasoning ?? 0);
}
