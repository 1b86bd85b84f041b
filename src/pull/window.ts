import { parseDuration } from "../config/quantities.ts";
import { UserError } from "../support/process/io.ts";

/**
 * Period of a pull in Unix milliseconds. It applies to the start time of spans, and for S3 to the time at which an object was written.
 * `untilMs` is exclusive.
 */
export interface PullWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Period as text: each end is a date, or a duration before now. */
export interface WindowTexts {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const DEFAULT_SINCE = "24h";

/**
 * Parses a period.
 * @throws UserError if a text is not a time, or the period is empty
 */
export function windowOf({ since = DEFAULT_SINCE, until = "0s" }: WindowTexts, nowMs: number): PullWindow {
  const window = { sinceMs: timeOf("since", since, nowMs), untilMs: timeOf("until", until, nowMs) };
  if (window.sinceMs >= window.untilMs)
    throw new UserError(`--since ${since} is not before --until ${until}`, "swap the two values");
  return window;
}

function timeOf(option: string, text: string, nowMs: number): number {
  const ago = parseDuration(text);
  if (ago !== undefined) return nowMs - ago;
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(date)) return date;
  throw new UserError(
    `${option} is "${text}", which is neither a duration nor a date`,
    "write 30m, 24h, 7d or 2026-11-23T08:00:00Z",
  );
}
