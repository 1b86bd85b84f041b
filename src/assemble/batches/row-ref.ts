import type { Batch } from "../../otlp/rows/batch.ts";

/** One row of a batch. `at` is where it begins in `batch.rows`. */
export interface RowRef {
  readonly batch: Batch;
  readonly row: number;
  readonly at: number;
}

/** A span row and its place in the trace; -1 while it has none. */
export interface Placed extends RowRef {
  index: number;
}
