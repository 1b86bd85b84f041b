import type { Batch } from "./batch.ts";

/** Where a view's row is: its batch, and the index of its first int in the batch's `rows`. */
export interface Place {
  readonly batch: Batch;
  readonly at: number;
}
