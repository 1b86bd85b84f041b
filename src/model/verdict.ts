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
  /** Reply of the first, cheaper judge model, and whether this reply decided; absent if there was no first judge. */
  readonly first?: FirstJudge | undefined;
}

export interface FirstJudge {
  readonly model: string;
  readonly score: number | null;
  readonly label: string;
  readonly decided: boolean;
  readonly why: string;
}

/** Waiver that covers a violation. `expires`: the last day on which the waiver is valid. */
export interface WaivedBy {
  readonly owner: string;
  readonly reason: string;
  readonly expires: string;
}

/**
 * Codes of problems. The codes for tools and their order are EvalView's; the codes for forbidden tools and for calls with arguments are
 * Tracejury's.
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
 * One problem in machine-readable form. `expected` and `actual` are names from the spec and from the run. For codes `CALL_…`, they are
 * calls with arguments, as text.
 */
export interface Reason {
  readonly code: ReasonCode;
  /** Number of the tool call in the run, from 1; null if the problem does not concern one call. */
  readonly step: number | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** Result of one check for one run. */
export interface CheckResult {
  /** Key of the check in the spec, such as `min_tool_recall`. */
  readonly check: string;
  /** Metric that the check compares, such as `tool_recall`. Equal to `check` if the check compares no metric. */
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
   * Causes of the failure (tools, terms, fields, rubrics), by which two results can be compared. Absent if `value`, `limit`, `reasons` or
   * `judge` already contain them.
   */
  readonly faults?: readonly string[];
  readonly source: SourcePosition | null;
  readonly judge: JudgeRecord | null;
  /** Class of the error if the outcome is `error`, one of a few names such as `timeout` or `budget`; absent if unknown. */
  readonly errorType?: string;
  /** Waiver that covers the violation; absent if no waiver does. */
  readonly waiver?: WaivedBy;
  /** True if the check failed and the query's `expected_fail` predicts this failure. Such a check only warns. */
  readonly expectedFail?: true;
  /** Number of the turn in a conversation, from 1. Absent if the check concerns the complete conversation or a single run. */
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
  /** Similarity of the texts if the query was matched by similarity; otherwise 1. */
  readonly score: number;
  /**
   * Query id that the run names and the spec does not have. The run was then matched by its text or by a query `"*"`. Absent if the spec
   * has the id, or if the run names none.
   */
  readonly unknownId?: string;
}

export interface Provenance {
  readonly specHash: string;
  readonly engine: string;
  /** Judge models that were called, each with a hash of its prompt. */
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
  /** Whether correctness failed or a forbidden tool was called, although the query did not expect a failure. */
  readonly hardFail: boolean;
  /** True if the query has `expected_fail: true`. A failed run then only warns, and a run that passes fails. */
  readonly expectedFail?: true;
  /** Table row that defines the query; absent if the spec itself contains the query. */
  readonly row?: SourceLine;
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Metrics by name. A metric that could not be computed is null. */
  readonly metrics: ReadonlyMap<string, number | null>;
  readonly provenance: Provenance;
}

/** A run that matches no query, or several queries. */
export interface Unjudged {
  readonly run: AgentRun;
  readonly spec: string;
  readonly reason: string;
  /** Ids of the matching queries; empty if no query matches. */
  readonly candidates: readonly string[];
  /** True if the spec is about an agent other than the run's agent. */
  readonly isOfOtherAgent?: true;
}
