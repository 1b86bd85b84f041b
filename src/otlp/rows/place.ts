import type { Batch } from "./batch.ts";

/** Where a view's row is: which batch, and where in its `rows` it begins. */
export interface Place {
  readonly batch: Batch;
  readonly at: number;
}
