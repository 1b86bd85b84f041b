import { type Backoff, backoffMs } from "../../support/structures/backoff.ts";
import { breakerLimits, retryBackoff } from "./backend-down.ts";

export interface BreakerOptions {
  /** Requests in flight while the backend works. */
  readonly atOnce: number;
  /** This many failures in a row mean that the backend is down, however recent the last success. */
  readonly opensAfter: number;
  readonly backoff?: Backoff;
  readonly now?: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * How many requests a backend is sent at one time, and from when on: half as many after a failure, one more after each success. A backend
 * that is down gets one at a time, with longer and longer pauses between them.
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

  /** Nothing is to be sent before. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  get failuresInRow(): number {
    return this.#failuresInRow;
  }

  get lastSuccessMs(): number {
    return this.#lastSuccessMs;
  }

  /** Whether the backend is known not to take anything. */
  get isOpen(): boolean {
    if (this.#failuresInRow >= this.#options.opensAfter) return true;
    const sinceMs = this.#options.now() - this.#lastSuccessMs;
    return this.#failuresInRow >= breakerLimits.fewestFailures && sinceMs >= breakerLimits.noSuccessMs;
  }

  /** The backend answered, and not that it is busy: it is up, whatever it made of the request. */
  answered(): void {
    this.#failuresInRow = 0;
    this.#failuresWhileOpen = 0;
    this.#lastSuccessMs = this.#options.now();
    this.#limit = Math.min(this.#limit + 1, this.#options.atOnce);
  }

  /** @param retryAfterMs the wait that the backend requests; null without one */
  failed(retryAfterMs: number | null): void {
    const { now, random, atOnce, backoff } = this.#options;
    this.#failuresInRow++;
    this.#limit = Math.max(Math.floor(this.#limit / 2), Math.min(breakerLimits.fewestAtOnce, atOnce));
    const waitMs = this.isOpen ? backoffMs(++this.#failuresWhileOpen, random(), backoff) : 0;
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, now() + Math.max(waitMs, retryAfterMs ?? 0));
  }

  /** Ends the pause. */
  resume(): void {
    this.#pausedUntilMs = -Infinity;
  }
}
