/** Something with a time limit: it is checked periodically, and ends itself when it has lasted too long. */
export interface Watched {
  check(nowMs: number): void;
}

/** After a delay of this length the process cannot know what arrived meanwhile. */
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

  /** A delayed sweep finds requests whose bytes still wait to be read. These are read first and checked by the next sweep. */
  #sweep(): void {
    const now = performance.now();
    const isLate = now - this.#sweptMs > this.#sweepMs + LATE_MS;
    this.#sweptMs = now;
    if (isLate) return;
    for (const item of this.#watched) item.check(now);
  }
}
