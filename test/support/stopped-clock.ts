/**
 * Clock for `serve({ now })`. It stands still until it is started, so no time limit of the collector passes between two requests of a test,
 * however long the test is kept from sending the second.
 */
export class StoppedClock {
  #nowMs = performance.now();
  /** Time of the last call of `now`; null while the clock stands still. */
  #lastMs: number | null = null;

  readonly now = (): number => {
    if (this.#lastMs === null) return this.#nowMs;
    const atMs = performance.now();
    this.#nowMs += atMs - this.#lastMs;
    this.#lastMs = atMs;
    return this.#nowMs;
  };

  start(): void {
    this.#lastMs ??= performance.now();
  }

  stop(): void {
    this.now();
    this.#lastMs = null;
  }
}
