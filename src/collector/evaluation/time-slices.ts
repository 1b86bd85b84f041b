import type { Engine } from "../../replay/engine.ts";

/**
 * Limits of one time slice: traces closed between two clock reads, and milliseconds for which requests may be
 * delayed.
 */
const AT_ONCE = 32;
const LONGEST_MS = 50;

/** Closes traces that are due, in slices. */
export interface TimeSlicedClosing {
  /** Closes due traces. If there are many, the rest is closed in later turns of the event loop. */
  catchUp(): void;
  /**
   * Stops closing traces; the remaining traces stay in the journal. Results of a later slice could not be
   * recorded, because the journal is closed by then.
   */
  stop(): void;
}

/**
 * @param isBehind whether verdicts are produced faster than they are written; meanwhile no trace is closed
 * @param onError called with an exception of one slice; the next slice still runs
 */
export function closeInTimeSlices(
  { pipeline }: Pick<Engine, "pipeline">,
  now: () => number,
  isBehind: () => boolean,
  onError: (error: unknown) => void,
): TimeSlicedClosing {
  let next: NodeJS.Immediate | undefined;
  const slice = (): void => {
    next = undefined;
    const until = now() + LONGEST_MS;
    try {
      while (!isBehind() && pipeline.tick(now(), AT_ONCE)) {
        if (now() < until) continue;
        next = setImmediate(slice);
        return;
      }
    } catch (error) {
      onError(error);
    }
  };
  return {
    catchUp() {
      if (next === undefined) slice();
    },
    stop() {
      clearImmediate(next);
      next = undefined;
    },
  };
}
