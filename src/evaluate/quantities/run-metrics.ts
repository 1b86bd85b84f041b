import type { AgentRun, ToolCall } from "../../model/run.ts";

/**
 * Values of a run that checks and verdict metrics share. Values that are slow to compute are computed once, at the first read.
 */
export interface RunMetrics {
  readonly run: AgentRun;
  /** Tool calls of the run, except those with `executed: false`. */
  readonly used: readonly ToolCall[];
  /** Tool names of `used`, in order; null for a call without a name. */
  readonly toolNames: readonly (string | null)[];
  /** Tool names of `used`, in order. Null if a name is unknown, or tool calls may be missing. */
  readonly knownNames: readonly string[] | null;
  /** Missing field of the run because of which tool calls or their names are unknown; undefined if all are known. */
  readonly toolsMissing: "tools" | "tool_names" | undefined;
  /** Final answer in lower case; null if the answer was not captured. */
  readonly foldedAnswer: string | null;
  readonly loops: number;
  readonly sameArgumentLoops: number;
  readonly toolErrors: number;
  /** Number of tokens of the run; null if unknown, or if a reported number is implausible (negative, not finite or above 10¹²). */
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  /** Known part of the tokens; equals `totalTokens` if the total is known. */
  readonly knownTokens: number;
  readonly knownCostUsd: number;
  readonly knownModelCalls: number;
  /** Returns the result of `compute` for a key, computed once for each run. */
  once<Value>(what: symbol, compute: () => Value): Value;
  /** Whether the telemetry lacks a field of the run, or parts of it. */
  lacks(what: string): boolean;
}
