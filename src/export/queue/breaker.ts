import { type Backoff, backoffMs } from "../../support/structures/backoff.ts";
import { breakerLimits, retryBackoff } from "./backend-down.ts";

export interface BreakerOptions {
  /** Maximum number of concurrent requests while the backend works. */
  readonly atOnce: number;
  /** Number of consecutive failures after which the breaker opens at once (see `breakerLimits`). */
  readonly opensAfter: number;
  readonly backoff?: Backoff;
  readonly now?: () => number;
  /** Returns a random number between 0 and 1. */
  readonly random?: () => number;
}

/**
 * Limits the number of concurrent requests to a backend, and decides when the next request may start. A failure halves the number of
 * concurrent requests; a success increases it by one. While the backend is down, one request at a time is sent, with growing pauses.
 */
export class Breaker {
  readonly #options: Required<BreakerOptions>;
  #limit: number;
  #failuresInRow = 0;
  #failuresWhileOpen = 0;
  #lastSuccessMs = -Infinity;
  #pausedUntilMs = -Infinity;

  constructor(options: BreakerOptions) {
    this.#options = {
      backoff: retryBackoff,
      now: () => performance.now(),
      random: Math.random,
      ...options,
    };
    this.#limit = options.atOnce;
  }

  get atOnce(): number {
    return this.isOpen ? 1 : this.#limit;
  }

  /** Earliest time of the next request. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  get failuresInRow(): number {
    return this.#failuresInRow;
  }

  get lastSuccessMs(): number {
    return this.#lastSuccessMs;
  }

  /** Whether the backend counts as down: all recent requests failed. */
  get isOpen(): boolean {
    if (this.#failuresInRow >= this.#options.opensAfter) return true;
    const sinceMs = this.#options.now() - this.#lastSuccessMs;
    return this.#failuresInRow >= breakerLimits.fewestFailures && sinceMs >= breakerLimits.noSuccessMs;
  }

  /**
   * Records a response that the backend would also give to a retry. Such a response counts as success, even if the backend refused the
   * request.
   */
  answered(): void {
    this.#failuresInRow = 0;
    this.#failuresWhileOpen = 0;
    this.#lastSuccessMs = this.#options.now();
    this.#limit = Math.min(this.#limit + 1, this.#options.atOnce);
  }

  /**
   * Records a failed attempt.
   * @param retryAfterMs delay that the backend requested, in milliseconds; null if none
   */
  failed(retryAfterMs: number | null): void {
    const { now, random, atOnce, backoff } = this.#options;
    this.#failuresInRow++;
    this.#limit = Math.max(Math.floor(this.#limit / 2), Math.min(breakerLimits.fewestAtOnce, atOnce));
    const waitMs = this.isOpen ? backoffMs(++this.#failuresWhileOpen, random(), backoff) : 0;
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, now() + Math.max(waitMs, retryAfterMs ?? 0));
  }

  /** Ends the pause, so that a request may be sent at once. */
  resume(): void {
    this.#pausedUntilMs = -Infinity;
  }
}
