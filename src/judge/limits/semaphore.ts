/** Admits a limited number of callers at a time. Further callers wait in order of arrival. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Waits for admission. Resolves to a function that ends the admission; null if the signal aborted first. */
  enter(signal?: AbortSignal): Promise<(() => void) | null> {
    if (signal?.aborted === true) return Promise.resolve(null);
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(this.#leaveOnce());
    }
    return new Promise((resolve) => {
      const admit = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve(this.#leaveOnce());
      };
      const giveUp = (): void => {
        this.#waiting.delete(admit);
        resolve(null);
      };
      this.#waiting.add(admit);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      else {
        this.#waiting.delete(next);
        next();
      }
    };
  }
}
