/** Ids are kept in two halves of this many; the older half goes as a whole. */
const HALF = 100_000;

/**
 * Numbers the revisions of each verdict from 1: a run that late spans changed gets the same verdict id and the next number. Remembers a
 * bounded number of ids; the late window ends long before they are forgotten.
 */
export class Revisions {
  #young = new Map<string, number>();
  #old: ReadonlyMap<string, number> = new Map();

  next(verdictId: string): number {
    const revision = (this.#young.get(verdictId) ?? this.#old.get(verdictId) ?? 0) + 1;
    this.resume(verdictId, revision);
    return revision;
  }

  /** The last revision of a verdict that was given before, 0 for none. */
  resume(verdictId: string, revision: number): void {
    this.#young.set(verdictId, revision);
    if (this.#young.size < HALF) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
