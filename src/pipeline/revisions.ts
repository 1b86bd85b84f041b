import { IdCounts } from "./id-counts.ts";

/** Ids are kept in two halves of this many; the older half goes as a whole. */
const HALF = 100_000;

/**
 * Numbers the revisions of each verdict from 1: a run that late spans changed gets the same verdict id and the next number. Remembers a
 * bounded number of ids; the late window ends long before they are forgotten.
 */
export class Revisions {
  #young: IdCounts;
  #old: IdCounts;

  /** @param seed random where senders choose the ids */
  constructor(seed = 0) {
    this.#young = new IdCounts(seed);
    this.#old = new IdCounts(seed);
  }

  next(verdictId: string): number {
    const revision = (this.#young.get(verdictId) || this.#old.get(verdictId)) + 1;
    this.resume(verdictId, revision);
    return revision;
  }

  /** The last revision of a verdict that was given before, 0 for none. */
  resume(verdictId: string, revision: number): void {
    if (revision === 0) return;
    this.#young.set(verdictId, revision);
    if (this.#young.size < HALF) return;
    const forgotten = this.#old;
    this.#old = this.#young;
    this.#young = forgotten;
    forgotten.clear();
  }
}
