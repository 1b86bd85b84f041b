import { ReferenceCountedBatches } from "../../../assemble/batches/reference-counted-batches.ts";
import type { Batch } from "../../../otlp/rows/batch.ts";

/** Results that are not text yet. */
interface Unwritten {
  readonly batches: ReadonlySet<Batch>;
  readonly write: () => void;
}

/**
 * Results wait here until they have to be written out as text. Till then they hold on to the requests they were read from, so only so many
 * bytes of these, and so many results, may wait; the oldest are written first.
 */
export class UnwrittenResults {
  readonly #mostBytes: number;
  readonly #pinned = new ReferenceCountedBatches();
  /** Places that are used in turn. A set would leave old tables behind, which keep what was in them from being collected. */
  readonly #places: (Unwritten | undefined)[];
  #oldest = 0;
  #count = 0;

  constructor(most: number, mostBytes: number) {
    this.#places = Array.from({ length: most }, () => undefined);
    this.#mostBytes = mostBytes;
  }

  /** `write` is called once, now or later. */
  add(batches: ReadonlySet<Batch>, write: () => void): void {
    if (this.#count === this.#places.length) this.#writeOldest();
    this.#places[(this.#oldest + this.#count++) % this.#places.length] = { batches, write };
    for (const batch of batches) this.#pinned.pin(batch);
    while (this.#count > 0 && this.#pinned.bytes > this.#mostBytes) this.#writeOldest();
  }

  #writeOldest(): void {
    const oldest = this.#places[this.#oldest];
    if (oldest === undefined) return;
    this.#places[this.#oldest] = undefined;
    this.#oldest = (this.#oldest + 1) % this.#places.length;
    this.#count--;
    for (const batch of oldest.batches) this.#pinned.unpin(batch);
    oldest.write();
  }
}
