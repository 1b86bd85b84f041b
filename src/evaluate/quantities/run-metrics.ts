import type { AgentRun, ToolCall } from "../../model/run.ts";

/**
 * Values that several checks and the verdict's `metrics` share; each is computed once, when it is first read.
 */
export interface RunMetrics {
  readonly run: AgentRun;
  /** Calls that count as used: all calls except those with `executed: false`. */
  readonly used: readonly ToolCall[];
  /** Names of the used tools, in order; null for a call whose name is unknown. */
  readonly toolNames: readonly (string | null)[];
  /** Names of the used tools if every name is known and no tool call can be missing; otherwise null. */
  readonly knownNames: readonly string[] | null;
  /** Missing field of the run that hides tool calls or names; undefined if all are known. */
  readonly toolsMissing: "tools" | "tool_names" | undefined;
  /** Final answer in lower case; null if it was not captured. */
  readonly foldedAnswer: string | null;
  readonly loops: number;
  readonly sameArgumentLoops: number;
  readonly toolErrors: number;
  /**
   * Total; null if it is unknown or contains an impossible count (negative, not finite or extremely large).
   */
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  /** Known part of the total; equal to the total if the total is known. */
  readonly knownTokens: number;
  readonly knownCostUsd: number;
  readonly knownModelCalls: number;
  /** Returns the result of `compute`, which is called once for the run. */
  once<Value>(what: symbol, compute: () => Value): Value;
  /** Returns whether the telemetry lacks the field `what`. */
  lacks(what: string): boolean;
}
