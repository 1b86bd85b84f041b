import type { JsonValue } from "./json.ts";
import type { Layer, Outcome } from "./outcome.ts";
import type { AgentRun } from "./run.ts";
import type { SourceLine } from "./source-line.ts";

/** Where in a spec file something is written; line and column count from 1. */
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

/** The waiver that covers a violation; `expires` is its last day. */
export interface WaivedBy {
  readonly owner: string;
  readonly reason: string;
  readonly expires: string;
}

/** EvalView's codes for what is wrong with tools and their order, and ours for a forbidden one and for calls with arguments. */
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

/** One thing that is wrong, for programs: names are those of the spec and of the run; `CALL_…` has calls with their arguments as text. */
export interface Reason {
  readonly code: ReasonCode;
  /** Which call of the run, from 1; null when it is about none in particular. */
  readonly step: number | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** One check's answer about one run. */
export interface CheckResult {
  /** The key written in the spec, such as `min_tool_recall`. */
  readonly check: string;
  /** The metric that it compares, such as `tool_recall`; equals `check` if there is none. */
  readonly metric: string;
  readonly layer: Layer;
  readonly outcome: Outcome;
  readonly value: JsonValue;
  readonly limit: JsonValue;
  readonly message: string;
  /** Remedy for `incomplete` or `error`; null otherwise. */
  readonly remedy: string | null;
  readonly missing: readonly string[];
  readonly spanIds: readonly string[];
  /** The message's statements about tools and their order, as codes; absent if a check has no codes. */
  readonly reasons?: readonly Reason[];
  /** Causes (tools, terms, fields, rubrics) for comparing findings of two results; absent if value, limit, reasons or judge have them. */
  readonly faults?: readonly string[];
  readonly source: SourcePosition | null;
  readonly judge: JudgeRecord | null;
  /** Low-cardinality name of what failed (`timeout`, `budget`) when the outcome is `error`; absent if unknown. */
  readonly errorType?: string;
  /** Who accepted the violation, why, and until when; present where a waiver covers it. */
  readonly waiver?: WaivedBy;
  /** It failed as the query's `expected_fail` predicts, and therefore only warns. */
  readonly expectedFail?: true;
  /** Which turn of a conversation it is about, from 1; absent for the conversation as a whole, and for runs. */
  readonly turn?: number;
}

export interface LayerResult {
  readonly outcome: Outcome;
  /** One sentence: why this outcome. */
  readonly reason: string;
  readonly checks: readonly CheckResult[];
}

export type MatchHow = "id" | "exact" | "normalised" | "pattern" | "similarity" | "wildcard";

export interface QueryMatch {
  readonly how: MatchHow;
  /** 1 but for similarity. */
  readonly score: number;
  /** The query id that the run names and the spec does not have: the run was matched by its text. Absent otherwise. */
  readonly unknownId?: string;
}

export interface Provenance {
  readonly specHash: string;
  readonly engine: string;
  /** Judge models and prompt hashes that were asked. */
  readonly judge: readonly string[];
  readonly prices: string | null;
}

/** One run against one query of one spec. */
export interface Verdict {
  /** The same over revisions: derived from run, spec and query. */
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  readonly specAgent: string;
  readonly queryId: string;
  readonly match: QueryMatch;
  readonly run: AgentRun;
  readonly outcome: Outcome;
  /** A correctness failure or a forbidden tool. */
  readonly hardFail: boolean;
  /** The query has `expected_fail: true`: a failure warns, a pass fails. */
  readonly expectedFail?: true;
  /** The row of the table that the query is from; absent where a spec writes it. */
  readonly row?: SourceLine;
  readonly layers: Readonly<Record<Layer, LayerResult>>;
  /** Null: could not be computed. */
  readonly metrics: ReadonlyMap<string, number | null>;
  readonly provenance: Provenance;
}

/** A run that no query, or more than one, claims. */
export interface Unjudged {
  readonly run: AgentRun;
  readonly spec: string;
  readonly reason: string;
  /** Query ids; empty when unmatched. */
  readonly candidates: readonly string[];
}
