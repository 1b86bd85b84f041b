import type { CloseReason } from "../model/run.ts";
import type { LogView, SpanView } from "../model/telemetry/span-view.ts";

/** All spans of one trace id, as the assembler emits them. */
export interface Trace {
  /** Trace id in lower-case hex. */
  readonly traceId: string;
  /**
   * Spans without duplicates, sorted by start time and then span id. The order does not depend on arrival.
   */
  readonly spans: readonly SpanView[];
  /**
   * For each span the index of its parent in `spans`, or -1. If `parents` is absent, the index is derived
   * from the ids.
   */
  readonly parents?: Int32Array | undefined;
  /** Log records that name only the trace, or a missing span, in time order. */
  readonly uncorrelatedLogs: readonly LogView[];
  readonly closeReason: CloseReason;
  /** Whether spans were dropped because the trace was too large or memory was short. */
  readonly truncated: boolean;
  /** Whether the trace was emitted before and has received more spans since. */
  readonly isRevision?: boolean;
  /**
   * Fingerprint of the content. Equal spans and log records give an equal fingerprint in any order of
   * arrival.
   */
  readonly fingerprint?: string | undefined;
}
