/** Admits a limited number of callers at a time. Further callers wait in order of arrival. */
export interface Semaphore {
  /** Waits for admission. Resolves to a function that ends the admission; null if the signal aborted first. */
  enter(signal?: AbortSignal): Promise<(() => void) | null>;
}

export function semaphore(places: number): Semaphore {
  let free = places;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free++;
    else {
      waiting.delete(next);
      next();
    }
  };
  const once = (): (() => void) => {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };

  return {
    enter: (signal) => {
      if (signal?.aborted === true) return Promise.resolve(null);
      if (free > 0) {
        free--;
        return Promise.resolve(once());
      }
      return new Promise((resolve) => {
        const admit = (): void => {
          signal?.removeEventListener("abort", giveUp);
          resolve(once());
        };
        const giveUp = (): void => {
          waiting.delete(admit);
          resolve(null);
        };
        waiting.add(admit);
        signal?.addEventListener("abort", giveUp, { once: true });
      });
    },
  };
}
