/** Something that must not last: it is asked now and then, and ends itself when it has lasted too long. */
export interface Watched {
  check(nowMs: number): void;
}

/** A process that was kept from working for so long knows nothing of what came in the meantime. */
const LATE_MS = 1_000;

/**
 * One timer for all connections and requests. Node's own checks do not run for a server that is handed its sockets instead of
 * listening, and know no minimum progress.
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

  /** A sweep that comes late finds requests whose bytes wait to be read: those are read first, and looked at the next time. */
  #sweep(): void {
    const now = performance.now();
    const isLate = now - this.#sweptMs > this.#sweepMs + LATE_MS;
    this.#sweptMs = now;
    if (isLate) return;
    for (const item of this.#watched) item.check(now);
  }
}
