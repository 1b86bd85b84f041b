import type { AgentRun, ToolCall } from "../../model/run.ts";

/**
 * Values of a run that several checks and the verdict's `metrics` share. Each value is computed at most
 * once. Values that need more than the list of tool calls are computed when they are first read.
 */
export interface RunMetrics {
  readonly run: AgentRun;
  /** Tool calls of the run, except those with `executed: false`. */
  readonly used: readonly ToolCall[];
  /** Tool names of these calls, in order; null for a call without a name. */
  readonly toolNames: readonly (string | null)[];
  /** Tool names of these calls, in order; null if a name is unknown, or if tool calls may be missing. */
  readonly knownNames: readonly string[] | null;
  /**
   * Field of the run that is missing, so that tool calls or their names are unknown; undefined if all are
   * known.
   */
  readonly toolsMissing: "tools" | "tool_names" | undefined;
  /** Final answer in lower case; null if it was not captured. */
  readonly foldedAnswer: string | null;
  readonly loops: number;
  readonly sameArgumentLoops: number;
  readonly toolErrors: number;
  /**
   * Total number of tokens; null if it is unknown or a number in it is implausible (negative, not finite or
   * extremely large).
   */
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  /** Known part of the tokens; the same as `totalTokens` if the total is known. */
  readonly knownTokens: number;
  readonly knownCostUsd: number;
  readonly knownModelCalls: number;
  /** Returns the result of `compute` for a key. `compute` is called once for each key and run. */
  once<Value>(what: symbol, compute: () => Value): Value;
  /** Whether a field of the run is missing in the telemetry. */
  lacks(what: string): boolean;
}
