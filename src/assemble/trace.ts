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
   * Index of each span's parent in `spans`, or -1. If `parents` is absent, parents must be found by their
   * ids.
   */
  readonly parents?: Int32Array | undefined;
  /** Log records that belong to the trace but to none of its spans, in time order. */
  readonly uncorrelatedLogs: readonly LogView[];
  readonly closeReason: CloseReason;
  /** Whether spans were dropped because the trace was too large or memory was short. */
  readonly truncated: boolean;
  /** Whether the trace was emitted before, and more spans have arrived since. */
  readonly isRevision?: boolean;
  /**
   * Fingerprint of the content. Equal spans and log records give the same fingerprint in any order of
   * arrival.
   */
  readonly fingerprint?: string | undefined;
}
