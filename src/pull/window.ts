import { parseDuration } from "../config/quantities.ts";
import { PullError } from "./pull-error.ts";

/** Time range of a pull, by the start time of spans, in milliseconds since 1970. The end is exclusive. */
export interface PullWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Time range as text. Each text is a duration before now, or a date. */
export interface WindowTexts {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const DEFAULT_SINCE = "24h";

/**
 * Parses a time range.
 * @throws PullError if a text is not a time, or if the range is empty
 */
export function windowOf({ since = DEFAULT_SINCE, until = "0s" }: WindowTexts, nowMs: number): PullWindow {
  const window = { sinceMs: timeOf("since", since, nowMs), untilMs: timeOf("until", until, nowMs) };
  if (window.sinceMs >= window.untilMs)
    throw new PullError(`--since ${since} is not before --until ${until}`, "swap them");
  return window;
}

function timeOf(option: string, text: string, nowMs: number): number {
  const ago = parseDuration(text);
  if (ago !== undefined) return nowMs - ago;
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(date)) return date;
  throw new PullError(
    `${option} is "${text}", which is neither a duration nor a date`,
    "write 30m, 24h, 7d or 2026-11-23T08:00:00Z",
  );
}
