/** Milliseconds that a `Retry-After` header asks to wait, which holds seconds or a date; null for none, or one that cannot be read. */
export function retryAfterMs(header: string | null | undefined, nowUnixMs: number): number | null {
  const value = header?.trim() ?? "";
  const waitMs = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowUnixMs;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
