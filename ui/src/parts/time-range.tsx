import { parameter, setParameters } from "../route.ts";
import { periodWords, spanMs } from "./time-words.ts";

/** Periods that can be selected, with their labels. */
const spans: Readonly<Record<string, string>> = {
  "1h": "last hour",
  "24h": "last 24 hours",
  "7d": "last 7 days",
  "30d": "last 30 days",
};
const usual = "24h";

/** The period of all views. An empty `until` means now. */
export interface TimeRange {
  readonly since: string;
  readonly until: string;
}

export function timeRange(): TimeRange {
  const since = parameter("since");
  return { since: since === "" ? usual : since, until: parameter("until") };
}

/** Returns the URL of a view, with the current period. */
export function inRange(path: string): string {
  const [since, until] = [parameter("since"), parameter("until")];
  const kept = new URLSearchParams({
    ...(since === "" ? {} : { since }),
    ...(until === "" ? {} : { until }),
  }).toString();
  if (kept === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${kept}`;
}

/** Returns the URL of a list of runs, with the current period. */
export function runsInRange(path: string): string {
  const { since, until } = timeRange();
  const range = new URLSearchParams({ since, ...(until === "" ? {} : { until }) }).toString();
  return `${path}${path.includes("?") ? "&" : "?"}${range}`;
}

/** Returns a period in words, such as `last 24 hours` or `2026-11-22 04:50 to 2026-11-23 00:00`. */
export function rangeWords({ since, until }: TimeRange): string {
  return periodWords(since, until);
}

/** Returns the length of a period in milliseconds; null if its ends are not times. */
export function rangeMs({ since, until }: TimeRange): number | null {
  const ms = (until === "" ? Date.now() : unixMsOf(until)) - unixMsOf(since);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * Converts a date, a number of Unix milliseconds as text, or a duration before now into Unix milliseconds. Returns NaN for any other text.
 */
export function unixMsOf(text: string): number {
  const span = spanMs(text);
  if (span !== null) return Date.now() - span;
  return /^\d{10,16}$/.test(text) ? Number(text) : Date.parse(text);
}

/** Control that selects the period of all views. The period is stored in the URL. */
export function TimeRangeChoice() {
  const range = timeRange();
  const isUsual = range.until === "" && range.since in spans;
  return (
    <label class="range">
      <span class="hidden">Time range</span>
      <select
        value={isUsual ? range.since : "custom"}
        onChange={(event) => setParameters({ since: event.currentTarget.value, until: "" })}
      >
        {Object.entries(spans).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
        {!isUsual && <option value="custom">{rangeWords(range)}</option>}
      </select>
    </label>
  );
}
