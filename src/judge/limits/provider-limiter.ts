import { SlidingWindow } from "./sliding-window.ts";

const MINUTE_MS = 60_000;
const FAILURES_TO_BLOCK = 5;
const BLOCK_MS = 30_000;

export interface ProviderLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** Rate limits and circuit breaker of one provider. Times are in milliseconds, from `steadyTime`. */
export class ProviderLimiter {
  readonly #limits: ProviderLimits;
  readonly #requests = new SlidingWindow(MINUTE_MS);
  readonly #tokens = new SlidingWindow(MINUTE_MS);
  #pausedUntil = 0;
  #blockedUntil = 0;
  #failures = 0;

  constructor(limits: ProviderLimits) {
    this.#limits = limits;
  }

  /** Returns the milliseconds to wait before a call with about `tokens` tokens. */
  waitFor(now: number, tokens: number): number {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    return Math.max(
      0,
      this.#pausedUntil - now,
      requestsPerMinute === null ? 0 : this.#requests.waitFor(now, 1, requestsPerMinute),
      tokensPerMinute === null ? 0 : this.#tokens.waitFor(now, tokens, tokensPerMinute),
    );
  }

  /** Records a call with its estimated tokens. The returned function replaces the estimate by the actual number of tokens. */
  start(now: number, tokens: number): (tokens: number) => void {
    this.#requests.book(now, 1);
    const booking = this.#tokens.book(now, tokens);
    return (actual) => this.#tokens.correct(booking, actual);
  }

  /** Delays all calls of the provider until a time that the provider requested. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Returns the milliseconds for which the circuit breaker blocks calls after consecutive failures; 0 if calls are allowed. */
  blockedFor(now: number): number {
    return Math.max(0, this.#blockedUntil - now);
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(now: number): void {
    if (++this.#failures >= FAILURES_TO_BLOCK) this.#blockedUntil = now + BLOCK_MS;
  }
}
