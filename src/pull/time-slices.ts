import type { PullWindow } from "./window.ts";

/** Response of a store for a part of the period. */
export interface Slice<Answer> {
  readonly answer: Answer;
  /** Whether the store may have more data for this part than it returned. */
  readonly isFull: boolean;
}

interface SliceOptions {
  /** Minimum length of a part in milliseconds. */
  readonly shortestMs: number;
  /** Called for a part of minimum length whose response is still incomplete. */
  readonly onGap: (slice: PullWindow) => void;
}

/**
 * Reads a period from an API with a limit and without pages, newest first. If a response reaches the limit,
 * the slice is halved and read again. Each response comes with the start of its slice, at which the next
 * slice ends.
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
