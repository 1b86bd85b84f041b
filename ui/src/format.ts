import { dollars, grouped } from "../../src/evaluate/rules/text.ts";
import { duration } from "../../src/report/render/terminal/printable.ts";
import { parseShown } from "./shown-json.ts";
import type { JsonValue } from "./types.ts";

/** Text for an unknown value, which must not look like zero. */
const unknown = "–";

export function time(ms: number | null): string {
  return ms === null ? unknown : duration(ms);
}

export function number(value: number | null, digits = 0): string {
  return value === null ? unknown : grouped(Number(value.toFixed(digits)));
}

export function money(usd: number | null): string {
  return usd === null ? unknown : dollars(usd);
}

/** Rounds a measured number or a limit for reading. In a measure whose name ends with `usd`, the number is an amount of money. */
export function measured(name: string, value: number): string {
  return name.endsWith("usd") ? dollars(value) : grouped(value);
}

export function percent(share: number | null): string {
  return share === null ? unknown : `${(share * 100).toFixed(share === 0 || share === 1 ? 0 : 1)} %`;
}

/** Returns a text such as `12 s ago`. For a time more than a day ago, returns date and time. */
export function ago(unixMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - unixMs) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return moment(unixMs).slice(0, 16);
}

/** Formats a local time: as `04:50:12` if it is today, as `22 Nov 04:50` on another day, and as `2025-11-22` in another year. */
export function clock(unixMs: number, nowMs = Date.now()): string {
  const [date, now] = [new Date(unixMs), new Date(nowMs)];
  const [day = "", timeOfDay = ""] = moment(unixMs).split(" ");
  if (day === moment(nowMs).split(" ")[0]) return timeOfDay;
  if (date.getFullYear() !== now.getFullYear()) return day;
  return `${date.getDate()} ${months[date.getMonth()]} ${timeOfDay.slice(0, 5)}`;
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats a local time as `2026-11-22 04:50:12`. */
export function moment(unixMs: number): string {
  const date = new Date(unixMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Formats two points in time: as times if the first is today, otherwise with the day. */
export function moments(firstUnixMs: number, lastUnixMs: number, nowMs: number): string {
  const isToday = moment(firstUnixMs).slice(0, 10) === moment(nowMs).slice(0, 10);
  const [first, last] = [moment(firstUnixMs), moment(lastUnixMs)];
  if (isToday) return pair(first.slice(11, 16), last.slice(11, 16));
  const isOneDay = first.slice(0, 10) === last.slice(0, 10);
  if (isOneDay) return `${first.slice(5, 10)} ${pair(first.slice(11, 16), last.slice(11, 16))}`;
  return pair(first.slice(5, 16), last.slice(5, 16));
}

function pair(first: string, last: string): string {
  return first === last ? first : `${first} – ${last}`;
}

/**
 * Formats a JSON value for reading: a text unchanged, any other value as indented JSON. If a text contains JSON, the JSON is parsed and
 * indented, too.
 */
export function pretty(value: JsonValue): string {
  if (typeof value !== "string") return indented(value);
  const text = value.trim();
  if (!/^[[{]/.test(text)) return value;
  try {
    return indented(parseShown(text) as JsonValue);
  } catch {
    return value;
  }
}

function indented(value: JsonValue): string {
  const line = JSON.stringify(value);
  return line.length <= 80 ? line : JSON.stringify(value, null, 2);
}

/** Formats a JSON value on one line. A long result is truncated. */
export function brief(value: JsonValue, longest = 120): string {
  const text = (typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " ").trim();
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
