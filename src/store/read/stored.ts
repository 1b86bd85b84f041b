import type { TraceBytes } from "../../assemble/batches/trace-bytes.ts";
import type { Outcome } from "../../model/outcome.ts";

/** One run with everything that was concluded about it, as text: nothing in it holds on to telemetry. */
export interface RunRecord {
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversationId: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly complete: boolean;
  /** Spans of it went to another process, which was known when it was judged. */
  readonly split?: true;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
  readonly models: readonly string[];
  /** `service.version` of the agent; absent in records that an older version queued. */
  readonly version?: string | null;
  readonly json: string;
}

/** Group key of a verdict that did not pass. */
export interface DecidedBy {
  /** Names of the checks that gave the outcome, in the verdict's order; `error` for a run that ended in one. */
  readonly checks: readonly string[];
  /** Their messages, cut to the index limit. */
  readonly text: string;
}

export interface VerdictRecord {
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  readonly queryId: string;
  readonly outcome: Outcome;
  /** Names of the checks that failed, warned or were not decided; absent in records that an older version queued. */
  readonly unmetChecks?: readonly string[];
  /** Absent where nothing is wrong, and in records of older versions. */
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
  /** By trace id; null where it is not kept. */
  readonly telemetry: ReadonlyMap<string, readonly TraceBytes[]> | null;
  /** Ids of stored runs that are parts of this one, and are deleted; absent for none. */
  readonly replacedRuns?: readonly string[];
  readonly judgedUnixMs: number;
}

/** Limit of retained data. */
export interface Retention {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}
