import type { Engine } from "../../replay/engine.ts";

/** Traces that are closed between two looks at the clock, and how long closing them may keep requests waiting. */
const AT_ONCE = 32;
const LONGEST_MS = 50;

/** Closes traces that are due, in slices. */
export interface TimeSlicedClosing {
  /** Closes what is due, the rest of it in later turns of the event loop when it is much. */
  catchUp(): void;
  /** Stops closing traces; the rest stays in the journal. A slice after the journal is closed could not record its result. */
  stop(): void;
}

/**
 * @param isBehind whether verdicts come faster than they are written; no trace is closed meanwhile
 * @param onError gets what a slice throws; the next one goes on
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
