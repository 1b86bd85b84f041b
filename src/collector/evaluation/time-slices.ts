import type { Engine } from "../../replay/engine.ts";

/** Number of traces that are closed before the elapsed time is checked again. */
const AT_ONCE = 32;
/** Maximum time in milliseconds for which a slice delays requests. */
const LONGEST_MS = 50;

export interface TimeSlicedClosing {
  /** Closes due traces. If one slice is too short for all due traces, closes the remaining ones in later turns of the event loop. */
  catchUp(): void;
  /**
   * Stops closing traces. Open traces stay in the journal for the next process, because the journal is closed next, and could then record
   * no verdict.
   */
  stop(): void;
}

/**
 * Returns functions that close a pipeline's traces in time slices, so that requests are not delayed for long.
 * @param isBehind returns true while verdicts are produced faster than they are written; no trace is closed then
 * @param onError reports an exception in a slice; the next slice still runs
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
