import type { Batch } from "../../otlp/rows/batch.ts";

/** One row of a batch. The row's first element is at index `at` of `batch.rows`. */
export interface RowRef {
  readonly batch: Batch;
  readonly row: number;
  readonly at: number;
}

/** A log record without a trace id of its own. */
export interface UncorrelatedLog extends RowRef {
  /** Service and session that the record names, as one text; undefined if it names no session. */
  readonly session: string | undefined;
  /** Session, and id of the call or tool, that the record names, as one text; undefined if it does not name both. */
  readonly subject: string | undefined;
}

/** A span row with the index of its span in the trace; -1 if the index is not known yet. */
export interface Placed extends RowRef {
  index: number;
}
