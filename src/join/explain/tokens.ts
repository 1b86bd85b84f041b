import type { Piece } from "../../adapt/piece.ts";
import { findCounts } from "../../adapt/read-usage.ts";
import type { Field } from "../../adapt/fields.ts";
import type { Explanation, PassedOver, Source } from "../../model/explanation.ts";
import type { AgentRun, Usage } from "../../model/run.ts";
import type { Evidence } from "../evidence.ts";
import { usageOf } from "../tokens.ts";
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
  const calls = new Set(evidence.calls.flatMap(({ piece, around }) => [piece, ...around]));
  return counts.map(([fact, count, field]) => {
    const read = (piece: Piece): (Source & { raw: unknown })[] => [
      ...sourcesOf(piece, field),
      ...sourcesOf(piece, "usage"),
      // Where no attribute has them, the response that the span keeps whole may.
      ...sourcesOf(piece, "output").filter(({ raw }) => findCounts(raw) !== undefined),
    ];
    const from = evidence.calls.flatMap((call) =>
      [call.piece, ...call.around].flatMap(read).slice(0, 1).map(bare),
    );
    const others = evidence.pieces.filter((piece) => piece.role !== "call" || !calls.has(piece));
    const passedOver = others.flatMap((piece) =>
      sourcesOf(piece, field)
        .slice(0, 1)
        .map((source): PassedOver => ({ ...bare(source), why: reason(piece.role) })),
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

function reason(role: string): string {
  if (role === "call") return "another layer of a call that is counted, or an attempt that failed";
  if (role === "embedding" || role === "reranker") return `${role}s are no model calls`;
  return "a sum over calls that are counted one by one";
}

function note(count: keyof Usage, value: number | null, evidence: Evidence): string | null {
  if (value === null) return "a call does not say it: the sum is unknown";
  const changed = evidence.calls.filter(({ counts: given }, at) => {
    const call = evidence.calls[at];
    const own = count === "input" ? given.input : count === "output" ? given.output : undefined;
    return call !== undefined && own !== undefined && usageOf(call)[count] !== own;
  });
  if (changed.length === 0) return null;
  const part = count === "input" ? "cached tokens" : "reasoning tokens";
  return `${part} were left out by the producer and are added in ${changed.length} of ${evidence.calls.length} calls`;
}
