import type { TraceBytes } from "../../assemble/batches/trace-bytes.ts";
import type { Outcome } from "../../model/outcome.ts";

/**
 * A run in its stored form. The record contains text instead of objects, so that it does not retain
 * telemetry in memory.
 */
export interface RunRecord {
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly complete: boolean;
  /** Present if another process was known to have spans of the run when the run was judged. */
  readonly split?: true;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly models: readonly string[];
  /** Attribute `service.version` of the agent; absent in queued records that an older version wrote. */
  readonly version?: string | null;
  readonly json: string;
}

/** Group key of a verdict that did not pass. */
export interface DecidedBy {
  /**
   * Names of the checks that decided the outcome, in the verdict's order. For a run that ended in an error,
   * the only name is `error`.
   */
  readonly checks: readonly string[];
  /** Messages of the checks that decided the outcome, truncated to the index limit. */
  readonly text: string;
}

export interface VerdictRecord {
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  readonly queryId: string;
  readonly outcome: Outcome;
  /**
   * Names of checks that failed, warned or were undecided; absent in queued records that an older version
   * wrote.
   */
  readonly unmetChecks?: readonly string[];
  /** Group key of the verdict; absent for a pass or skip, and in records that an older version wrote. */
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
  /**
   * Telemetry by trace id; null if the telemetry is not stored. A trace without stored telemetry has no
   * entry.
   */
  readonly telemetry: ReadonlyMap<string, readonly TraceBytes[]> | null;
  /** Ids of stored runs that became parts of this run, and are deleted; absent if there are none. */
  readonly replacedRuns?: readonly string[];
  readonly judgedUnixMs: number;
}

/** Retention limits of stored data. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}
