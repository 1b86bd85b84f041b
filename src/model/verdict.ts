import type { JsonValue } from "./json.ts";
import type { Layer, Outcome } from "./outcome.ts";
import type { AgentRun } from "./run.ts";
import type { SourceLine } from "./source-line.ts";

/** Position in a spec file; line and column count from 1. */
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
  /** Reply of the first, cheaper judge, and whether it decided; absent if it was not called. */
  readonly first?: FirstJudge | undefined;
}

export interface FirstJudge {
  readonly model: string;
  readonly score: number | null;
  readonly label: string;
  readonly decided: boolean;
  readonly why: string;
}

/** Waiver that covers a violation; `expires` is its last day. */
export interface WaivedBy {
  readonly owner: string;
  readonly reason: string;
  readonly expires: string;
}

/**
 * EvalView's codes for problems of tools and their order, and Tracejury's codes for forbidden tools and calls
 * with arguments.
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
 * One problem in machine-readable form. Names are those of the spec and the run; in `CALL_…`, calls and their
 * arguments are text.
 */
export interface Reason {
  readonly code: ReasonCode;
  /** Number of the run's call, from 1; null if the problem concerns no particular call. */
  readonly step: number | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** Result of one check for one run. */
export interface CheckResult {
  /** Key of the check in the spec, such as `min_tool_recall`. */
  readonly check: string;
  /** Metric that the check compares, such as `tool_recall`; equals `check` if there is none. */
  readonly metric: string;
  readonly layer: Layer;
  readonly outcome: Outcome;
  readonly value: JsonValue;
  readonly limit: JsonValue;
  readonly message: string;
  /** How to fix `incomplete` or `error`; null otherwise. */
  readonly remedy: string | null;
  readonly missing: readonly string[];
  readonly spanIds: readonly string[];
  /** The message's statements about tools and their order, as codes; absent if a check has no codes. */
  readonly reasons?: readonly Reason[];
  /**
   * Causes (tools, terms, fields, rubrics) for comparing findings of two results; absent if value, limit,
   * reasons or judge contain them.
   */
  readonly faults?: readonly string[];
  readonly source: SourcePosition | null;
  readonly judge: JudgeRecord | null;
  /**
   * Low-cardinality name of what failed (`timeout`, `budget`) when the outcome is `error`; absent if unknown.
   */
  readonly errorType?: string;
  /** Who accepted the violation, why, and until when; present if a waiver covers the violation. */
  readonly waiver?: WaivedBy;
  /** Present if the check failed as the query's `expected_fail` predicts, and therefore only warns. */
  readonly expectedFail?: true;
  /** Number of the conversation's turn, from 1; absent for the whole conversation and for single runs. */
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
  /** Similarity score; 1 for other kinds of match. */
  readonly score: number;
  /**
   * Query id that the run names but the spec does not contain; the run was matched by its text. Absent
   * otherwise.
   */
  readonly unknownId?: string;
}

export interface Provenance {
  readonly specHash: string;
  readonly engine: string;
  /** Called judge models with prompt hashes. */
  readonly judge: readonly string[];
  readonly prices: string | null;
}

/** Result of one run for one query of one spec. */
export interface Verdict {
  /** Id derived from run, spec and query; it is the same for all revisions. */
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  readonly specAgent: string;
  readonly queryId: string;
  readonly match: QueryMatch;
  readonly run: AgentRun;
  readonly outcome: Outcome;
  /** Whether correctness failed or a forbidden tool was called. */
  readonly hardFail: boolean;
  /** Present if the query has `expected_fail: true`: a failure warns, and a pass fails. */
  readonly expectedFail?: true;
  /** Table row from which the query was created; absent if the spec contains the query itself. */
  readonly row?: SourceLine;
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Metrics by name; null if a metric could not be computed. */
  readonly metrics: ReadonlyMap<string, number | null>;
  readonly provenance: Provenance;
}

/** A run that no query, or more than one query, matches. */
export interface Unjudged {
  readonly run: AgentRun;
  readonly spec: string;
  readonly reason: string;
  /** Ids of the matching queries; empty for an unmatched run. */
  readonly candidates: readonly string[];
  /** Present if the run is of another agent than the spec. */
  readonly isOfOtherAgent?: true;
}
