import { PinnedBatches } from "../assemble/pinned-batches.ts";
import type { Batch } from "../otlp/batch.ts";

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
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #pinned = new PinnedBatches();
  readonly #waiting = new Set<Unwritten>();

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  /** `write` is called once, now or later. */
  add(batches: ReadonlySet<Batch>, write: () => void): void {
    this.#waiting.add({ batches, write });
    for (const batch of batches) this.#pinned.pin(batch);
    for (const one of this.#waiting) {
      if (this.#waiting.size <= this.#most && this.#pinned.bytes <= this.#mostBytes) return;
      this.#waiting.delete(one);
      for (const batch of one.batches) this.#pinned.unpin(batch);
      one.write();
    }
  }
}
