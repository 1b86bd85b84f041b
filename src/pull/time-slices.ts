import type { PullWindow } from "./window.ts";

/** Response of a store for one slice of the period. */
export interface Slice<Answer> {
  readonly answer: Answer;
  /** Whether the store may have more data for this slice than it returned. */
  readonly isFull: boolean;
}

interface SliceOptions {
  readonly shortestMs: number;
  /** Reports a slice of minimum length whose response is still incomplete. */
  readonly onGap: (slice: PullWindow) => void;
}

/**
 * Reads a period in time slices, newest first. For APIs that limit the number of results, but have no pages. If a response reaches the
 * limit, halves the slice and reads again. Yields each response with the start time of its slice.
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
