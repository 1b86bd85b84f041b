export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly factor: number;
  /** Range from which the random factor of each wait is chosen. Random waits prevent several senders from retrying at the same moment. */
  readonly spread: readonly [number, number];
}

/** Backoff for requests on whose response a user or a run is waiting. */
export const requestBackoff: Backoff = { firstMs: 1_000, longestMs: 30_000, factor: 2, spread: [1, 0.5] };

/**
 * Returns the milliseconds to wait after the `failures`-th consecutive failure, counted from 1.
 * @param random random number from 0 to 1
 */
export function backoffMs(failures: number, random: number, backoff: Backoff): number {
  const { firstMs, longestMs, factor, spread } = backoff;
  const fullMs = Math.min(firstMs * factor ** Math.max(0, failures - 1), longestMs);
  const [from, to] = spread;
  return fullMs * (from + random * (to - from));
}

/**
 * Parses a `Retry-After` header (seconds or a date) into milliseconds. Returns null if the header is missing
 * or invalid.
 */
export function retryAfterMs(header: string | null | undefined, nowUnixMs: number): number | null {
  const value = header?.trim() ?? "";
  const waitMs = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowUnixMs;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
