import type { CloseReason } from "../model/run.ts";
import type { LogView, SpanView } from "../model/telemetry/span-view.ts";

/** All spans with one trace id, as the assembler emits them. */
export interface Trace {
  /** Trace id in lower-case hex. */
  readonly traceId: string;
  /** Spans without duplicates, sorted by start time and then span id. */
  readonly spans: readonly SpanView[];
  /** Index of each span's parent in `spans`, or -1. If absent, find parents by their ids. */
  readonly parents?: Int32Array | undefined;
  /** Log records of the trace that belong to none of its spans, in time order. */
  readonly uncorrelatedLogs: readonly LogView[];
  readonly closeReason: CloseReason;
  /** Whether the trace was closed because it was too large or memory was short. Its later spans are dropped. */
  readonly truncated: boolean;
  /** Whether the trace was emitted before, and has more or newer spans or more log records now. */
  readonly isRevision?: boolean;
  /** Whether the trace consists of a session's log records, and their service also sends spans. */
  readonly isBesideSpans?: boolean;
  /** Fingerprint of the trace's spans and log records; the same for every order of arrival. */
  readonly fingerprint?: string | undefined;
}
