import type { JsonValue } from "./json.ts";
import type { Layer, Outcome } from "./outcome.ts";
import type { AgentRun } from "./run.ts";
import type { SourceLine } from "./source-line.ts";

/** Position in a spec file. Line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface JudgeVote {
  readonly model: string;
  readonly score: number | null;
  readonly label: string | null;
  readonly rationale: string | null;
  readonly error: string | null;
}

export interface JudgeRecord {
  readonly rubric: string;
  readonly model: string;
  readonly score: number | null;
  readonly label: string | null;
  readonly rationale: string | null;
  readonly votes: readonly JudgeVote[];
  readonly durationMs: number;
  readonly cached: boolean;
  readonly promptHash: string;
  /** Reply of the first, cheaper judge, and whether this reply decided; absent if there is no first judge. */
  readonly first?: FirstJudge | undefined;
}

export interface FirstJudge {
  readonly model: string;
  readonly score: number | null;
  readonly label: string;
  readonly decided: boolean;
  readonly why: string;
}

/** Waiver that covers a violation. `expires` is its last day. */
export interface WaivedBy {
  readonly owner: string;
  readonly reason: string;
  readonly expires: string;
}

/**
 * Codes for problems of tools and their order, from EvalView; and Tracejury's codes for forbidden tools and
 * calls with arguments.
 */
export const reasonCodes = [
  "TOOL_MISSING",
  "TOOL_NAME_MISMATCH",
  "TOOL_UNEXPECTED",
  "TOOL_FORBIDDEN",
  "CATEGORY_NOT_SATISFIED",
  "SEQUENCE_LENGTH_MISMATCH",
  "SEQUENCE_ORDER_VIOLATION",
  "SEQUENCE_MISSING_TOOLS",
  "SEQUENCE_TOOL_NOT_FOUND",
  "CALL_ARGUMENTS_MISMATCH",
  "CALL_MISSING",
  "CALL_UNEXPECTED",
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

/**
 * One problem in machine-readable form. `expected` and `actual` are names from the spec and the run. For
 * codes `CALL_…`, `expected` and `actual` are calls with arguments, as text.
 */
export interface Reason {
  readonly code: ReasonCode;
  /** Number of the tool call in the run, from 1; null if the problem is not about one call. */
  readonly step: number | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** Result of one check for one run. */
export interface CheckResult {
  /** Key of the check in the spec, such as `min_tool_recall`. */
  readonly check: string;
  /**
   * Metric that the check compares, such as `tool_recall`. The same as `check` if the check compares no
   * metric.
   */
  readonly metric: string;
  readonly layer: Layer;
  readonly outcome: Outcome;
  readonly value: JsonValue;
  readonly limit: JsonValue;
  readonly message: string;
  /** How to fix the outcome `incomplete` or `error`; null for other outcomes. */
  readonly remedy: string | null;
  readonly missing: readonly string[];
  readonly spanIds: readonly string[];
  /** Problems of tools and their order, as codes; absent if the check has no codes. */
  readonly reasons?: readonly Reason[];
  /**
   * Causes of the failure (tools, terms, fields, rubrics), by which two results are compared; absent if
   * value, limit, reasons or judge already contain the causes.
   */
  readonly faults?: readonly string[];
  readonly source: SourcePosition | null;
  readonly judge: JudgeRecord | null;
  /**
   * Error class of the outcome `error`, one of a few names such as `timeout` or `budget`; absent if unknown.
   */
  readonly errorType?: string;
  /** Waiver that covers the violation; absent if there is none. */
  readonly waiver?: WaivedBy;
  /** True if the check failed as the query's `expected_fail` predicts. An expected failure only warns. */
  readonly expectedFail?: true;
  /** Number of the turn in a conversation, from 1; absent for the whole conversation and for single runs. */
  readonly turn?: number;
}

export interface LayerResult {
  readonly outcome: Outcome;
  /** One sentence that explains the outcome. */
  readonly reason: string;
  readonly checks: readonly CheckResult[];
}

export type MatchHow = "id" | "exact" | "normalised" | "pattern" | "similarity" | "wildcard";

export interface QueryMatch {
  readonly how: MatchHow;
  /** Similarity of the texts, if the query was matched by similarity. Otherwise 1. */
  readonly score: number;
  /**
   * Query id that the run names and the spec lacks, so that the run was matched by its text or by a query
   * `"*"`. Absent if the spec has the id, or the run names none.
   */
  readonly unknownId?: string;
}

export interface Provenance {
  readonly specHash: string;
  readonly engine: string;
  /** Judge models that were called, with hashes of their prompts. */
  readonly judge: readonly string[];
  readonly prices: string | null;
}

/** Result of one run for the query of a spec. */
export interface Verdict {
  /** Id derived from run, spec and query. All revisions of a verdict have the same id. */
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  readonly specAgent: string;
  readonly queryId: string;
  readonly match: QueryMatch;
  readonly run: AgentRun;
  readonly outcome: Outcome;
  /** Whether correctness failed or a forbidden tool was called, and the query did not expect the failure. */
  readonly hardFail: boolean;
  /** True if the query has `expected_fail: true`, so that a failed run only warns, and a passed run fails. */
  readonly expectedFail?: true;
  /** Table row that defines the query; absent if the spec itself contains the query. */
  readonly row?: SourceLine;
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Metrics by name; null if a metric could not be computed. */
  readonly metrics: ReadonlyMap<string, number | null>;
  readonly provenance: Provenance;
}

/** A run that matches no query, or more than one query. */
export interface Unjudged {
  readonly run: AgentRun;
  readonly spec: string;
  readonly reason: string;
  /** Ids of the matching queries; empty if no query matches. */
  readonly candidates: readonly string[];
  /** True if the spec is about another agent than the run's. */
  readonly isOfOtherAgent?: true;
}
