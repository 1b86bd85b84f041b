import { type Backoff, backoffMs } from "../../support/structures/backoff.ts";

/** Whether a backend takes what it is sent, and for how long it is left alone when it does not. */
export class Breaker {
  readonly #backoff: Backoff;
  #failuresInRow = 0;

  constructor(backoff: Backoff) {
    this.#backoff = backoff;
  }

  get isOpen(): boolean {
    return this.#failuresInRow > 0;
  }

  succeeded(): void {
    this.#failuresInRow = 0;
  }

  /**
   * Returns how long to wait before the next attempt.
   * @param retryAfterMs the shortest wait that the backend asked for
   */
  failed(retryAfterMs: number): number {
    return Math.max(backoffMs(++this.#failuresInRow, Math.random(), this.#backoff), retryAfterMs);
  }
}
