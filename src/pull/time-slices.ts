import type { PullWindow } from "./window.ts";

/** One answer of a store for a part of the time. */
export interface Slice<Answer> {
  readonly answer: Answer;
  /** The store may hold more of this time than it gave. */
  readonly isFull: boolean;
}

interface SliceOptions {
  /** Slices are not made shorter than this. */
  readonly shortestMs: number;
  /** Reports a shortest slice that is full. */
  readonly onGap: (slice: PullWindow) => void;
}

/**
 * Reads a time from an API that has a limit and no pages, newest first: a slice whose answer reached the limit is read again, half as long. Each
 * answer comes with the start of its slice, where the next one ends.
 */
export async function* timeSlices<Answer>(
  { sinceMs, untilMs }: PullWindow,
  read: (slice: PullWindow) => Promise<Slice<Answer>>,
  { shortestMs, onGap }: SliceOptions,
): AsyncGenerator<{ readonly answer: Answer; readonly startMs: number }> {
  let endMs = untilMs;
  let widthMs = untilMs - sinceMs;
  while (endMs > sinceMs) {
    const startMs = Math.max(sinceMs, endMs - widthMs);
    const { answer, isFull } = await read({ sinceMs: startMs, untilMs: endMs });
    if (isFull && endMs - startMs > shortestMs) {
      widthMs = Math.max(shortestMs, Math.floor((endMs - startMs) / 2));
      continue;
    }
    if (isFull) onGap({ sinceMs: startMs, untilMs: endMs });
    yield { answer, startMs };
    endMs = startMs;
    widthMs = Math.max(shortestMs, widthMs * 2);
  }
}
