import { moment } from "../format.ts";

const unitMinutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080 };
const dayMinutes = 1440;

interface Span {
  readonly count: number;
  readonly unit: "minute" | "hour" | "day";
}

/** Milliseconds of a duration such as `24h`; null for anything else. */
export function spanMs(text: string): number | null {
  const [, amount = "", unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return amount === "" ? null : Number(amount) * (unitMinutes[unit] ?? 0) * 60_000;
}

/** A duration such as `2880m` in the largest possible unit; days are used from two days on. Null for anything else. */
function spanOf(text: string): Span | null {
  const ms = spanMs(text);
  if (ms === null) return null;
  const minutes = ms / 60_000;
  if (minutes > dayMinutes && minutes % dayMinutes === 0) return { count: minutes / dayMinutes, unit: "day" };
  return minutes >= 60 && minutes % 60 === 0
    ? { count: minutes / 60, unit: "hour" }
    : { count: minutes, unit: "minute" };
}

/** `2 days`, `hour`: the words after "last" or before "before". */
function lengthWords({ count, unit }: Span): string {
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** A period in words: `last 2 days`, `2 days to 24 hours ago`, `since 2026-11-22 04:50`. */
export function periodWords(since: string, until: string): string {
  const span = spanOf(since);
  if (until === "") return span === null ? `since ${pointWords(since)}` : `last ${lengthWords(span)}`;
  if (since === "") return `until ${pointWords(until)}`;
  const isAgo = span !== null && spanOf(until) !== null;
  const from = isAgo ? pointWords(since).replace(/ ago$/, "") : pointWords(since);
  return `${from} to ${pointWords(until)}`;
}

/** A period within a sentence: `in the last 2 days`, `from 2 days to 24 hours ago`. */
export function duringWords(since: string, until: string): string {
  const words = periodWords(since, until);
  if (words.startsWith("last ")) return `in the ${words}`;
  return /^(since|until) /.test(words) ? words : `from ${words}`;
}

/** A point in time: `2 days ago`, `an hour ago`, or local time as `2026-11-22 04:50`. */
function pointWords(text: string): string {
  const span = spanOf(text);
  if (span !== null) {
    const article = span.unit === "hour" ? "an " : "a ";
    return `${span.count === 1 ? article : ""}${lengthWords(span)} ago`;
  }
  const date = new Date(/^\d{10,16}$/.test(text) ? Number(text) : text);
  return Number.isNaN(date.getTime()) ? text : moment(date.getTime()).slice(0, 16);
}

/** Twice a duration, in the same unit: `48h` for `24h`; null if the text is not a duration. */
export function twice(text: string): string | null {
  const [, amount = "", unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return amount === "" ? null : `${2 * Number(amount)}${unit}`;
}
