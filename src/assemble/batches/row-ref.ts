import type { Batch } from "../../otlp/rows/batch.ts";

/** One row of a batch. `at` is the index of its first element in `batch.rows`. */
export interface RowRef {
  readonly batch: Batch;
  readonly row: number;
  readonly at: number;
}

/** A span row with its index in the trace; -1 if the index is not yet known. */
export interface Placed extends RowRef {
  index: number;
}
