/** A connection or request with time limits. `check` is called periodically, and closes the connection or request that exceeds a limit. */
export interface Watched {
  check(nowMs: number): void;
}

/** If a sweep is this late (in milliseconds), the process was busy, and bytes that arrived in time may still be unread. */
const LATE_MS = 1_000;

/**
 * Checks the time limits of all connections and requests with one timer. Node's own time-outs do not run for a server that gets its sockets
 * from another server, and do not check progress.
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

  /** Checks all limits. Skips a sweep that is late, because bytes that arrived in time may still be unread. */
  #sweep(): void {
    const now = performance.now();
    const isLate = now - this.#sweptMs > this.#sweepMs + LATE_MS;
    this.#sweptMs = now;
    if (isLate) return;
    for (const item of this.#watched) item.check(now);
  }
}
