import type { Batch } from "./batch.ts";

/** The place of a view's row: its batch, and the index of the row's first int in the batch's `rows`. */
export interface Place {
  readonly batch: Batch;
  readonly at: number;
}
