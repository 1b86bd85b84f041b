import type { CloseReason } from "../model/run.ts";
import type { LogView, SpanView } from "../model/telemetry/span-view.ts";

/** All spans with one trace id, as the assembler emits them. */
export interface Trace {
  /** Trace id in lower-case hex. */
  readonly traceId: string;
  /** Spans without duplicates, sorted by start time and then span id. */
  readonly spans: readonly SpanView[];
  /** Index in `spans` of each span's parent; -1 if the parent is missing. If `parents` is absent, find parents by their ids. */
  readonly parents?: Int32Array | undefined;
  /** Log records of the trace that belong to none of its spans, in time order. */
  readonly uncorrelatedLogs: readonly LogView[];
  readonly closeReason: CloseReason;
  /** Whether the trace was closed because it was too large, or because memory was short. Spans that arrive later are dropped. */
  readonly truncated: boolean;
  /** Whether the trace was emitted before, and now has further spans, newer versions of spans, or further log records. */
  readonly isRevision?: boolean;
  /** Whether the trace consists of a session's log records, and the same service also sends spans. */
  readonly isBesideSpans?: boolean;
  /** Fingerprint of the trace's spans and log records. It does not depend on their order of arrival. */
  readonly fingerprint?: string | undefined;
}
