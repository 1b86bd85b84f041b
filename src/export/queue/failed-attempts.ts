import { failedBatchLimits } from "./backend-down.ts";

/**
 * The failed attempts of one batch or request. A failure counts against the batch only if the backend accepted another batch since the
 * previous failure of this batch. While a backend is down, it accepts nothing, so no failure counts.
 */
export class FailedAttempts {
  #tries = 0;
  #lastMs = Infinity;
  #counted = 0;
  #countedSinceMs = Infinity;
  /** Earliest time of the next attempt. */
  notBeforeMs = -Infinity;

  get tries(): number {
    return this.#tries;
  }

  /**
   * Records a failure.
   * @param lastSuccessMs time at which the backend last accepted a request
   * @returns true if the failure counts against the batch
   */
  add(nowMs: number, lastSuccessMs: number): boolean {
    const isCounted = lastSuccessMs > this.#lastMs;
    this.#tries++;
    this.#lastMs = nowMs;
    if (!isCounted) return false;
    this.#counted++;
    this.#countedSinceMs = Math.min(this.#countedSinceMs, nowMs);
    return true;
  }

  /** Whether enough failures count against the batch, and the first of these failures was at least `maxElapsedMs` ago. */
  isOver(nowMs: number, maxElapsedMs: number): boolean {
    return this.#counted >= failedBatchLimits.fewestCounted && nowMs - this.#countedSinceMs >= maxElapsedMs;
  }

  copy(): FailedAttempts {
    const copy = new FailedAttempts();
    copy.#tries = this.#tries;
    copy.#lastMs = this.#lastMs;
    copy.#counted = this.#counted;
    copy.#countedSinceMs = this.#countedSinceMs;
    return copy;
  }
}
