import type { SpanNode } from "../span/span-node.ts";
import { findCounts } from "../span/read-usage.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { Explanation, PassedOver, Source } from "../../model/explanation.ts";
import type { AgentRun, Usage } from "../../model/run.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import type { Evidence } from "../assembly/evidence.ts";
import { isUsageRecord } from "../fragments/usage-records.ts";
import { bare, sourcesOf } from "./sources.ts";

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

/** A run's token counts: the attributes of its model calls that were added up, and the sums on other spans that were not. */
export function explainTokens(run: AgentRun, evidence: Evidence): Explanation[] {
  const calls = new Set(evidence.calls.flatMap(({ node, around }) => [node, ...around]));
  return counts.map(([fact, count, field]) => {
    const read = (node: SpanNode): (Source & { raw: unknown })[] => [
      ...sourcesOf(node, field),
      ...sourcesOf(node, "usage"),
      // Where no attribute has them, the response that the span keeps whole may.
      ...sourcesOf(node, "output").filter(({ raw }) => findCounts(raw) !== undefined),
    ];
    const from = evidence.calls.flatMap((call) =>
      [call.node, ...call.around].flatMap(read).slice(0, 1).map(bare),
    );
    const others = evidence.nodes.filter((node) => node.role !== "call" || !calls.has(node));
    const passedOver = others.flatMap((node) =>
      sourcesOf(node, field)
        .slice(0, 1)
        .map((source): PassedOver => ({ ...bare(source), why: reason(node) })),
    );
    const value = run.usage[count];
    return {
      fact,
      value: value === null ? null : String(value),
      from: value === null ? [] : from,
      passedOver,
      note: note(count, value, evidence),
    };
  });
}

function reason(node: SpanNode): string {
  const { role } = node;
  if (isUsageRecord(node))
    return "a record of usage without operation, messages or finish reason: no model call";
  if (role === "call") return "another layer of a call that is counted, or an attempt that failed";
  if (role === "embedding" || role === "reranker") return `${role}s are no model calls`;
  return "a sum over calls that are counted one by one";
}

function note(count: keyof Usage, value: number | null, evidence: Evidence): string | null {
  if (value === null) return "a call does not say it: the sum is unknown";
  const { calls } = evidence;
  const sums = calls.filter(({ isCumulative }) => isCumulative).length;
  if (sums > 0)
    return `${sums} of ${calls.length} calls report a sum that includes the calls before: what each adds to it is counted`;
  const changed = calls.filter((call) => {
    const own = count === "input" ? call.counts.input : count === "output" ? call.counts.output : undefined;
    return own !== undefined && call.usage[count] !== own;
  });
  if (changed.length === 0) return null;
  const where = `in ${changed.length} of ${calls.length} calls`;
  if (count === "output" && changed.some(isOfTotal))
    return `the reported total is above input and output: the rest, thoughts mostly, is added to the output ${where}`;
  const part = count === "input" ? "cached tokens" : "reasoning tokens";
  return `${part} were left out by the producer and are added ${where}`;
}

/** Its output was completed by the total alone: no count of reasoning explains it. */
function isOfTotal({ counts: { total, output, reasoning }, usage }: LlmCall): boolean {
  return total !== undefined && usage.output !== (output ?? 0) + (reasoning ?? 0);
}
