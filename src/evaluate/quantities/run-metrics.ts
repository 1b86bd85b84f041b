import type { AgentRun, ToolCall } from "../../model/run.ts";

/** Quantities that several checks and the verdict's `metrics` share; each computed once, on first use. */
export interface RunMetrics {
  readonly run: AgentRun;
  /** The calls that count as used: all except those with `executed: false`. */
  readonly used: readonly ToolCall[];
  /** Names of the tools used, in order; a call whose name is unknown is null. */
  readonly toolNames: readonly (string | null)[];
  /** The same, when every name is known and no tool call can have been missed; null otherwise. */
  readonly knownNames: readonly string[] | null;
  /** The missing field that hides tool calls or names; undefined if all are known. */
  readonly toolsMissing: "tools" | "tool_names" | undefined;
  /** The final answer in lower case; null when it was not captured. */
  readonly foldedAnswer: string | null;
  readonly loops: number;
  readonly sameArgumentLoops: number;
  readonly toolErrors: number;
  /** Totals; null also where a count in them cannot be: negative, not finite or absurd. */
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  /** The part of each total that is known; equal to the total when that is. */
  readonly knownTokens: number;
  readonly knownCostUsd: number;
  readonly knownModelCalls: number;
  /** The result of `compute`, computed once for the run. */
  once<Value>(what: symbol, compute: () => Value): Value;
  /** Whether `what` is a field that the telemetry does not show. */
  lacks(what: string): boolean;
}
