/** Something that must not last: it is asked now and then, and ends itself when it has lasted too long. */
export interface Watched {
  check(nowMs: number): void;
}

/**
 * One timer for all connections and requests. Node's own checks do not run for a server that is handed its sockets instead of
 * listening, and know no minimum progress.
 */
export class Watch {
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;

  constructor(sweepMs: number) {
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

  #sweep(): void {
    const now = performance.now();
    for (const item of this.#watched) item.check(now);
  }
}
