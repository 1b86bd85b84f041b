import type { Batch } from "../../otlp/rows/batch.ts";

/** Batches that are still needed, and their total size. A batch stays in memory while anything needs a part of it. */
export class ReferenceCountedBatches {
  readonly #users = new Map<Batch, number>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  pin(batch: Batch): void {
    const users = this.#users.get(batch) ?? 0;
    if (users === 0) this.#bytes += batch.byteLength;
    this.#users.set(batch, users + 1);
  }

  unpin(batch: Batch): void {
    const users = this.#users.get(batch);
    if (users === undefined) return;
    if (users > 1) {
      this.#users.set(batch, users - 1);
      return;
    }
    this.#users.delete(batch);
    this.#bytes -= batch.byteLength;
  }
}
