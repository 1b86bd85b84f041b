import type { Batch } from "../otlp/batch.ts";

/** One row of a batch. `at` is where it begins in `batch.rows`. */
export interface RowRef {
  readonly batch: Batch;
  readonly row: number;
  readonly at: number;
}
