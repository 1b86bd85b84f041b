import type { TraceBytes } from "../../assemble/batches/trace-bytes.ts";
import type { Outcome } from "../../model/outcome.ts";

/** A run with its verdicts, as text, so that the record does not retain telemetry. */
export interface RunRecord {
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly complete: boolean;
  /** Set if another process was known to have received spans of the run when it was judged. */
  readonly split?: true;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly models: readonly string[];
  /** Attribute `service.version` of the agent; absent in records from an older version's queue. */
  readonly version?: string | null;
  readonly json: string;
}

/** Group key of a verdict that did not pass. */
export interface DecidedBy {
  /**
   * Names of the checks that decided the outcome, in the verdict's order; `error` for a run that ended in an
   * error.
   */
  readonly checks: readonly string[];
  /** Messages of these checks, truncated to the index limit. */
  readonly text: string;
}

export interface VerdictRecord {
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  readonly queryId: string;
  readonly outcome: Outcome;
  /**
   * Names of checks that failed, warned or were undecided; absent in records from an older version's queue.
   */
  readonly unmetChecks?: readonly string[];
  /** Absent for a pass, and in records of older versions. */
  readonly decidedBy?: DecidedBy;
  readonly json: string;
}

export interface UnjudgedRecord {
  readonly spec: string;
  readonly reason: string;
  readonly candidates: readonly string[];
}

export interface JudgedRecord {
  readonly run: RunRecord;
  readonly verdicts: readonly VerdictRecord[];
  readonly unjudged: readonly UnjudgedRecord[];
  /** Telemetry by trace id; null for a trace whose telemetry is not stored. */
  readonly telemetry: ReadonlyMap<string, readonly TraceBytes[]> | null;
  /** Ids of stored runs that are parts of this one, and are deleted; absent if there is none. */
  readonly replacedRuns?: readonly string[];
  readonly judgedUnixMs: number;
}

/** Retention limits of stored data. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}
