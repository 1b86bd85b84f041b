import type { TraceBytes } from "../../assemble/batches/trace-bytes.ts";
import type { Outcome } from "../../model/outcome.ts";

/** The stored form of a run. It consists of texts instead of the run's objects, which would retain telemetry in memory. */
export interface RunRecord {
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly complete: boolean;
  /** Present if it was known, when the run was judged, that another process had spans of the run. */
  readonly split?: true;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly models: readonly string[];
  /** Attribute `service.version` of the agent; absent in queued records that an earlier version of Tracejury wrote. */
  readonly version?: string | null;
  readonly json: string;
}

/** Why a verdict did not pass. The list of failures groups the verdicts with equal checks. */
export interface DecidedBy {
  /**
   * Names of the checks that decided the outcome, in the verdict's order. The list is `["error"]` if no check decided, because the run
   * ended in an error.
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
  /** Names of checks that failed, warned or were undecided; absent in queued records that an earlier version of Tracejury wrote. */
  readonly unmetChecks?: readonly string[];
  /** Why the verdict did not pass; absent for a pass or skip, and in records that an earlier version of Tracejury wrote. */
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
  /** Telemetry by trace id; null if telemetry is not stored. Traces without stored telemetry are not in the map. */
  readonly telemetry: ReadonlyMap<string, readonly TraceBytes[]> | null;
  /** Ids of stored runs that have become part of this run, and must be deleted; absent if there are none. */
  readonly replacedRuns?: readonly string[];
  /** Whether late spans changed the run. Stored verdicts of the run that the record does not contain are then deleted. */
  readonly isRevision?: true;
  readonly judgedUnixMs: number;
}

/** Retention limits of stored data. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}
