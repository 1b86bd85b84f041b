import { type Booking, slidingWindow } from "./sliding-window.ts";

const MINUTE_MS = 60_000;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;

/** Limits of one provider: rates, requested pauses, and availability. */
export interface ProviderLimiter {
  /** Returns the milliseconds to wait before the next call with about `tokens` tokens. */
  waitFor(now: number, tokens: number): number;
  /**
   * Records a call with its estimated tokens. The returned function replaces the estimate with the actual
   * number.
   */
  start(now: number, tokens: number): (tokens: number) => void;
  /**
   * Makes all calls of the provider wait until `until`, in milliseconds since 1970, as the provider
   * requested.
   */
  pause(until: number): void;
  /**
   * Returns the milliseconds until the next call is allowed, after too many consecutive failures; 0 if it is
   * allowed now.
   */
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
