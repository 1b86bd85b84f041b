/**
 * A connection or request with time limits. `check` is called periodically. If a limit is exceeded, `check` closes the connection or
 * request.
 */
export interface Watched {
  check(nowMs: number): void;
}

/** If a sweep is later than this, in milliseconds, the process was busy. Bytes that arrived in time may then still be unread. */
const LATE_MS = 1_000;

/**
 * Checks the time limits of all connections and requests with one timer. Node's own time-outs are not sufficient: they do not run for a
 * server that gets its sockets from another server, and they do not check progress.
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
   * Checks the limits of all connections and requests. A sweep that is late (`LATE_MS`) is skipped, because bytes that arrived in time may
   * still be unread.
   */
  #sweep(): void {
    const now = performance.now();
    const isLate = now - this.#sweptMs > this.#sweepMs + LATE_MS;
    this.#sweptMs = now;
    if (isLate) return;
    for (const item of this.#watched) item.check(now);
  }
}
