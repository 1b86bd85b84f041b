import type { CloseReason } from "../model/run.ts";
import type { LogView, SpanView } from "../model/telemetry/span-view.ts";

/** All spans of one trace id, as the assembler emits them. */
export interface Trace {
  /** Lower-case hex. */
  readonly traceId: string;
  /** Each span once; by start time, then span id. The order does not depend on arrival. */
  readonly spans: readonly SpanView[];
  /** For each span the index of its parent in `spans`, -1 where it has none here. Left out: read from the ids. */
  readonly parents?: Int32Array | undefined;
  /** Log records that name only the trace, or a span that is not here, in time order. */
  readonly uncorrelatedLogs: readonly LogView[];
  readonly closeReason: CloseReason;
  /** True when something was cut off: the trace was too large, or memory ran out. */
  readonly truncated: boolean;
  /** It was emitted before, and more has come since. */
  readonly isRevision?: boolean;
  /** Fingerprint of its contents: equal for equal spans and log records, in whatever order they came. */
  readonly fingerprint?: string | undefined;
}
