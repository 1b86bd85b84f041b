/**
 * A connection or request with time limits. `check` runs periodically, and closes the connection or request
 * if a limit is exceeded.
 */
export interface Watched {
  check(nowMs: number): void;
}

/** Delay of a sweep in milliseconds above which received bytes may still be unread. */
const LATE_MS = 1_000;

/**
 * Checks all connections and requests with one timer. Node's own time-outs do not run for a server that
 * receives its sockets from another server, and do not check minimum progress.
 */
export class Watch {
  readonly #watched = new Set<Watched>();
  readonly #sweepMs: number;
  readonly #timer: NodeJS.Timeout;
  #sweptMs = performance.now();

  constructor(sweepMs: number) {
    this.#sweepMs = sweepMs;
    this.#timer = setInterval(() => this.#sweep(), sweepMs);
    this.#timer.unref();
  }

  add(item: Watched): void {
    this.#watched.add(item);
  }

  delete(item: Watched): void {
    this.#watched.delete(item);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#watched.clear();
  }

  /**
   * Checks the limits. After a delayed sweep, received bytes may still be unread; the limits are then checked
   * in the next sweep.
   */
  #sweep(): void {
    const now = performance.now();
    const isLate = now - this.#sweptMs > this.#sweepMs + LATE_MS;
    this.#sweptMs = now;
    if (isLate) return;
    for (const item of this.#watched) item.check(now);
  }
}
