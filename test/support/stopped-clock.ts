/**
 * A clock for `serve({ now })`. It stands still until it is started. So no time limit of the collector passes between two requests, however
 * late the test sends the second one.
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
