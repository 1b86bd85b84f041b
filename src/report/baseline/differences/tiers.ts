import { sequenceSimilarity } from "../../../evaluate/metrics/sequences/sequence-similarity.ts";
import { toolPrecision, toolRecall } from "../../../evaluate/metrics/tool-sets.ts";
import { RunQuantities } from "../../../evaluate/quantities/run-quantities.ts";
import type { Layer, Outcome } from "../../../model/outcome.ts";
import { layers } from "../../../model/outcome.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { CompiledQuery } from "../../../evaluate/query/compiled.ts";
import type { Side } from "../side.ts";

/** The value of a measure in the older and in the newer run. An unknown value is null. */
export interface Change {
  readonly before: number | null;
  readonly after: number | null;
  /**
   * Change in percent of the older value. Null if the older value is zero, or if one of the values is
   * unknown.
   */
  readonly percent: number | null;
  /**
   * Direction of the change; null if one of the values is unknown. `same` means equal values or, for
   * durations, a small change.
   */
  readonly direction: "up" | "down" | "same" | null;
}

export interface OutcomeChange {
  readonly before: Outcome | null;
  readonly after: Outcome | null;
  readonly changed: boolean;
}

/** Comparison of two runs: the outcomes of the layers, and the measures of path and cost. */
export interface Tiers {
  readonly layers: Readonly<Record<Layer, OutcomeChange>>;
  readonly path: {
    readonly tool_calls: Change;
    readonly tool_precision: Change;
    readonly tool_recall: Change;
    readonly sequence_similarity: Change;
    readonly loops: Change;
  };
  readonly cost: {
    readonly cost_usd: Change;
    readonly total_tokens: Change;
    readonly llm_calls: Change;
    readonly latency_ms: Change;
  };
  /**
   * Whether the expected tools come from the spec or from the older run (`baseline`). Precision, recall and
   * similarity compare the called tools with the expected tools.
   */
  readonly reference: "spec" | "baseline";
}

/**
 * Compares outcomes and measures of two runs. The expected tools come from the query's spec
 * or, if the spec expects no tools, from the older run.
 */
export function tiersOf(before: Side, after: Side, query: CompiledQuery | undefined): Tiers {
  const expected = query === undefined ? null : expectedBy(query);
  const own = new RunQuantities(before.run).knownNames;
  const set = expected?.set ?? own;
  const sequence = expected?.sequence ?? own;
  const change = (measure: (side: AgentRun, quantities: RunQuantities) => number | null): Change =>
    changeOf(measured(before.run, measure), measured(after.run, measure));
  const against = (
    reference: readonly string[] | null,
    measure: (expected: readonly string[], used: readonly string[]) => number,
  ): Change =>
    change((_, { knownNames }) =>
      reference === null || knownNames === null ? null : measure(reference, knownNames),
    );
  return {
    layers: Object.fromEntries(
      layers.map((layer) => [layer, outcomeChange(before, after, layer)]),
    ) as Tiers["layers"],
    path: {
      tool_calls: change((_, { toolsMissing, toolNames }) =>
        toolsMissing === "tools" ? null : toolNames.length,
      ),
      tool_precision: against(set, toolPrecision),
      tool_recall: against(set, toolRecall),
      sequence_similarity: against(sequence, (reference, used) => sequenceSimilarity(used, reference)),
      loops: change((_, { knownNames, loops }) => (knownNames === null ? null : loops)),
    },
    cost: {
      cost_usd: change(({ costUsd }) => costUsd),
      total_tokens: change(({ totalTokens }) => totalTokens),
      llm_calls: change(({ llmCalls }) => llmCalls),
      latency_ms: ofDuration(change(({ durationMs }) => durationMs)),
    },
    reference: expected === null ? "baseline" : "spec",
  };
}

function measured(
  run: AgentRun,
  measure: (run: AgentRun, quantities: RunQuantities) => number | null,
): number | null {
  return measure(run, new RunQuantities(run));
}

function expectedBy({ settings: { path } }: CompiledQuery): Expected | null {
  const set = textsOf(path["expected_tools"]) ?? textsOf(path["expected_tool_sequence"]);
  const sequence = textsOf(path["expected_tool_sequence"]) ?? textsOf(path["expected_tools"]);
  if (set !== null && sequence !== null) return { set, sequence };
  return path["max_tool_calls"] === 0 ? { set: [], sequence: [] } : null;
}

interface Expected {
  readonly set: readonly string[];
  readonly sequence: readonly string[];
}

function textsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? (value as readonly string[]) : null;
}

function changeOf(before: number | null, after: number | null): Change {
  if (before === null || after === null) return { before, after, percent: null, direction: null };
  const percent = before === after ? 0 : before === 0 ? null : ((after - before) / before) * 100;
  return { before, after, percent, direction: after > before ? "up" : after < before ? "down" : "same" };
}

/** Limits of a small change of a duration. A change below one of the limits is small, because durations vary from run to run. */
export const smallDurationChange = { percent: 10, ms: 50 } as const;

/** Sets the direction of a small change to `same`. */
function ofDuration(change: Change): Change {
  const { before, after, percent } = change;
  if (before === null || after === null) return change;
  const { percent: mostPercent, ms: mostMs } = smallDurationChange;
  const isSmall = Math.abs(after - before) < mostMs || (percent !== null && Math.abs(percent) < mostPercent);
  return isSmall ? { ...change, direction: "same" } : change;
}

function outcomeChange(before: Side, after: Side, layer: Layer): OutcomeChange {
  const old = before.judged?.layers[layer].outcome ?? null;
  const now = after.judged?.layers[layer].outcome ?? null;
  return { before: old, after: now, changed: old !== now };
}
