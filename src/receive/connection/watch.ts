/**
 * A connection or request with time limits. The time limits are checked periodically; a connection or request
 * ends itself when a limit is exceeded.
 */
export interface Watched {
  check(nowMs: number): void;
}

/** If a check is delayed by this many milliseconds, the process cannot know what has arrived meanwhile. */
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
   * After a delay, received bytes may still be unread. Unread bytes are read first, and the next sweep checks
   * the limits.
   */
  #sweep(): void {
    const now = performance.now();
    const isLate = now - this.#sweptMs > this.#sweepMs + LATE_MS;
    this.#sweptMs = now;
    if (isLate) return;
    for (const item of this.#watched) item.check(now);
  }
}
