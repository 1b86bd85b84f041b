/**
 * Rate limit: allows a burst at first, then a fixed number per second. The caller passes the current time. If the clock is set back, the
 * limit continues from the new time; otherwise nothing would be allowed until the clock shows the old time again.
 */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #atUnixMs = 0;

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
  }

  take(nowUnixMs: number): boolean {
    const elapsedMs = Math.max(0, nowUnixMs - this.#atUnixMs);
    this.#atUnixMs = nowUnixMs;
    this.#left = Math.min(this.#burst, this.#left + (elapsedMs / 1000) * this.#perSecond);
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
