/** Clock of the scheduler. Tests replace the clock. */
export interface Clock {
  now(): number;
  /** Resolves (never rejects) after `ms` milliseconds, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};

/**
 * Returns a function that gives the time in milliseconds. When the clock is set back, the given time stands still at this moment and then
 * continues. If the clock were read directly, a pause of seconds would last until the clock reaches the earlier time again.
 */
export function steadyTime({ now }: Pick<Clock, "now">): () => number {
  let lastMs = -Infinity;
  let setBackMs = 0;
  return () => {
    const nowMs = now();
    setBackMs += Math.max(0, lastMs - nowMs);
    lastMs = nowMs;
    return nowMs + setBackMs;
  };
}
