const BURST = 500;
const PER_SECOND = 30;

/**
 * How many streams of one HTTP/2 connection may be given up before their answer. Opening and resetting costs a sender next to
 * nothing (CVE-2023-44487); a sender whose calls time out, a hundred at once, stays within this.
 */
export class ResetBudget {
  #left = BURST;
  #at = performance.now();

  /** Takes one; false when none is left. */
  spend(): boolean {
    const now = performance.now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) / 1000) * PER_SECOND) - 1;
    this.#at = now;
    return this.#left >= 0;
  }
}
