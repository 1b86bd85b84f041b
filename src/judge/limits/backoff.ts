const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** How long to wait before attempt `n + 1` (n from 1): 1 s, 2 s, 4 s … up to 30 s, each less up to half by `random` (0–1). */
export function backoffMs(n: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (n - 1));
  return full * (1 - random / 2);
}

/** Longest wait a provider may ask for; a longer one ends the attempts. */
export const LONGEST_RETRY_AFTER_MS = 120_000;
