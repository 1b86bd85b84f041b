import type { TraceBytes } from "../../assemble/batches/trace-bytes.ts";
import type { Outcome } from "../../model/outcome.ts";

/** A run as text instead of objects, so that it does not retain telemetry in memory. */
export interface RunRecord {
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly complete: boolean;
  /** Present if, at evaluation, another process was known to have spans of the run. */
  readonly split?: true;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly models: readonly string[];
  /** Attribute `service.version` of the agent; absent in queued records of an earlier version. */
  readonly version?: string | null;
  readonly json: string;
}

/** Why a verdict did not pass; verdicts with equal values form one group. */
export interface DecidedBy {
  /**
   * Names of the checks that decided the outcome, in the verdict's order; only `error` if no check decided it, because the run ended in an
   * error.
   */
  readonly checks: readonly string[];
  /** Messages of the deciding checks, truncated to the index limit. */
  readonly text: string;
}

export interface VerdictRecord {
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  readonly queryId: string;
  readonly outcome: Outcome;
  /** Names of checks that failed, warned or were undecided; absent in queued records of an earlier version. */
  readonly unmetChecks?: readonly string[];
  /** Why the verdict did not pass; absent for a pass or skip, and in records of an earlier version. */
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
  /** Telemetry by trace id; null if telemetry is not stored. Traces whose telemetry was not stored are missing. */
  readonly telemetry: ReadonlyMap<string, readonly TraceBytes[]> | null;
  /** Ids of stored runs that are now part of this run, and are deleted; absent if there are none. */
  readonly replacedRuns?: readonly string[];
  readonly judgedUnixMs: number;
}

/** Retention limits of stored data. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}
