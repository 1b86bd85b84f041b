import { type Booking, slidingWindow } from "./sliding-window.ts";

const MINUTE_MS = 60_000;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;

/** Rate limits and circuit breaker of one provider. Times are in milliseconds, from `steadyTime`. */
export interface ProviderLimiter {
  /** Returns the milliseconds to wait before a call with about `tokens` tokens. */
  waitFor(now: number, tokens: number): number;
  /** Records a call with its estimated tokens. The returned function replaces the estimate by the actual number of tokens. */
  start(now: number, tokens: number): (tokens: number) => void;
  /** Delays all calls of the provider until a time that the provider requested. */
  pause(until: number): void;
  /** Returns the milliseconds for which the circuit breaker blocks calls after consecutive failures; 0 if calls are allowed. */
  closedFor(now: number): number;
  succeeded(): void;
  failed(now: number): void;
}

export interface ProviderLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

export function createProviderLimiter({
  requestsPerMinute,
  tokensPerMinute,
}: ProviderLimits): ProviderLimiter {
  const requests = slidingWindow(MINUTE_MS);
  const tokens = slidingWindow(MINUTE_MS);
  let pausedUntil = 0;
  let closedUntil = 0;
  let failures = 0;
  return {
    waitFor: (now, amount) =>
      Math.max(
        0,
        pausedUntil - now,
        requestsPerMinute === null ? 0 : requests.waitFor(now, 1, requestsPerMinute),
        tokensPerMinute === null ? 0 : tokens.waitFor(now, amount, tokensPerMinute),
      ),
    start: (now, amount) => {
      requests.book(now, 1);
      const booking: Booking = tokens.book(now, amount);
      return (real) => tokens.correct(booking, real);
    },
    pause: (until) => {
      pausedUntil = Math.max(pausedUntil, until);
    },
    closedFor: (now) => Math.max(0, closedUntil - now),
    succeeded: () => {
      failures = 0;
    },
    failed: (now) => {
      if (++failures >= FAILURES_TO_OPEN) closedUntil = now + OPEN_MS;
    },
  };
}
