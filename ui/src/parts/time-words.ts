import { moment } from "../format.ts";

const unitMinutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080 };
const dayMinutes = 1440;

interface Span {
  readonly count: number;
  readonly unit: "minute" | "hour" | "day";
}

/** Converts a duration such as `24h` into milliseconds; null for any other text. */
export function spanMs(text: string): number | null {
  const [, amount = "", unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return amount === "" ? null : Number(amount) * (unitMinutes[unit] ?? 0) * 60_000;
}

/**
 * Converts a duration such as `2880m` into the largest unit in which it is a whole number; days are used from two days on. Null for any
 * other text.
 */
function spanOf(text: string): Span | null {
  const ms = spanMs(text);
  if (ms === null) return null;
  const minutes = ms / 60_000;
  if (minutes > dayMinutes && minutes % dayMinutes === 0) return { count: minutes / dayMinutes, unit: "day" };
  return minutes >= 60 && minutes % 60 === 0
    ? { count: minutes / 60, unit: "hour" }
    : { count: minutes, unit: "minute" };
}

/** Returns a duration in words, such as `2 days` or `hour`, for a text such as "last hour" or "2 days before". */
function lengthWords({ count, unit }: Span): string {
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** Returns a period in words, such as `last 2 days`, `2 days to 24 hours ago` or `since 2026-11-22 04:50`. */
export function periodWords(since: string, until: string): string {
  const span = spanOf(since);
  if (until === "") return span === null ? `since ${pointWords(since)}` : `last ${lengthWords(span)}`;
  if (since === "") return `until ${pointWords(until)}`;
  const isAgo = span !== null && spanOf(until) !== null;
  const from = isAgo ? pointWords(since).replace(/ ago$/, "") : pointWords(since);
  return `${from} to ${pointWords(until)}`;
}

/** Returns a period in words for use within a sentence, such as `in the last 2 days` or `from 2 days to 24 hours ago`. */
export function duringWords(since: string, until: string): string {
  const words = periodWords(since, until);
  if (words.startsWith("last ")) return `in the ${words}`;
  return /^(since|until) /.test(words) ? words : `from ${words}`;
}

/** Returns a point in time in words, such as `2 days ago` or `an hour ago`, or as a local time such as `2026-11-22 04:50`. */
function pointWords(text: string): string {
  const span = spanOf(text);
  if (span !== null) {
    const article = span.unit === "hour" ? "an " : "a ";
    return `${span.count === 1 ? article : ""}${lengthWords(span)} ago`;
  }
  const date = new Date(/^\d{10,16}$/.test(text) ? Number(text) : text);
  return Number.isNaN(date.getTime()) ? text : moment(date.getTime()).slice(0, 16);
}

/** Doubles a duration, in the same unit: `24h` becomes `48h`. Returns null if the text is not a duration. */
export function twice(text: string): string | null {
  const [, amount = "", unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return amount === "" ? null : `${2 * Number(amount)}${unit}`;
}
