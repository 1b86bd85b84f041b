import type { Batch } from "./batch.ts";

/** Position of a view's row: its batch, and its index in the batch's `rows`. */
export interface Place {
  readonly batch: Batch;
  readonly at: number;
}
