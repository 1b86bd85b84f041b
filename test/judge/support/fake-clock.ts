import type { Clock } from "../../../src/judge/limits/clock.ts";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export interface FakeClock extends Clock {
  /** How long each sleep was asked to last, time-outs left out. */
  readonly waits: readonly number[];
  /** Lets time pass; sleepers wake in order. */
  advance(ms: number): Promise<void>;
}

/**
 * Time that only passes when told to, or, for sleeps of up to `skip` milliseconds, at once: the clock jumps to their end.
 */
export function fakeClock({
  start = 1_000_000,
  skip = 0,
}: { start?: number; skip?: number } = {}): FakeClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      if (ms <= skip) {
        waits.push(ms);
        now += ms;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const sleeper: Sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          resolve();
        });
      });
    },
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        const due = [...sleepers].filter((it) => it.until <= end).sort((a, b) => a.until - b.until)[0];
        if (due === undefined) break;
        sleepers.delete(due);
        now = Math.max(now, due.until);
        due.wake();
        await settle();
      }
      now = Math.max(now, end);
      await settle();
    },
  };
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
