export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** By which each wait is longer than the one before. */
  readonly factor: number;
  /** Shares of a wait between which chance picks, so that several senders do not come back in step. */
  readonly spread: readonly [number, number];
}

/** For requests that a user or a run waits for. */
export const requestBackoff: Backoff = { firstMs: 1_000, longestMs: 30_000, factor: 2, spread: [1, 0.5] };

/**
 * Milliseconds to wait after the `failures`-th failure in a row, counted from 1.
 * @param random from 0 to 1
 */
export function backoffMs(failures: number, random: number, backoff: Backoff): number {
  const { firstMs, longestMs, factor, spread } = backoff;
  const fullMs = Math.min(firstMs * factor ** Math.max(0, failures - 1), longestMs);
  const [from, to] = spread;
  return fullMs * (from + random * (to - from));
}

/** Milliseconds that a `Retry-After` header asks to wait, which holds seconds or a date; null for none, or one that cannot be read. */
export function retryAfterMs(header: string | null | undefined, nowUnixMs: number): number | null {
  const value = header?.trim() ?? "";
  const waitMs = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowUnixMs;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
