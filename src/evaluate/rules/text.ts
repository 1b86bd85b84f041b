import { countsOf } from "../../support/structures/group-by.ts";
import { type JsonValue, textOrJson } from "../../model/json.ts";

/** Texts that messages of checks share: numbers, plurals and lists, independent of locale and clock. */

/** Returns a number with its noun, such as `11 tool calls`, `1 tool call` or `4,200 tokens`. */
export function count(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/**
 * Formats a number: whole numbers with thousands separators, other numbers with up to three decimals, numbers near zero with two
 * significant digits.
 */
export function grouped(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.0005) return String(Number(value.toPrecision(2)));
  if (Number.isInteger(value) && value < 1_000_000) {
    if (value < 1000) return String(value);
    const rest = value % 1000;
    return `${(value - rest) / 1000},${rest < 10 ? "00" : rest < 100 ? "0" : ""}${rest}`;
  }
  const [whole = "", fraction] = String(Math.round(value * 1000) / 1000).split(".");
  return fraction === undefined ? separated(whole) : `${separated(whole)}.${fraction}`;
}

function separated(digits: string): string {
  let shown = digits;
  for (let at = digits.length - 3; at > 0 && digits[at - 1] !== "-"; at -= 3) {
    shown = `${shown.slice(0, at)},${shown.slice(at)}`;
  }
  return shown;
}

/**
 * Returns a share with at most three decimals, such as 0.667. Adds decimals if the text would otherwise equal the text of `other`: 0.6667
 * for a limit of 0.667.
 */
export function share(value: number, other = value): string {
  for (let scale = 1e3; ; scale *= 10) {
    const shown = Math.round(value * scale) / scale;
    if (scale > 1e12 || value === other || shown !== Math.round(other * scale) / scale) return String(shown);
  }
}

/** Returns US dollars with two to six decimals, such as $0.008 or $3.00; an amount below $0.00001 has two significant digits. */
export function dollars(value: number): string {
  if (value > 0 && value < SMALL_DOLLARS) return smallDollars(value);
  const millionths = value * 1e6;
  const whole = Math.round(millionths);
  // If the product is not near the middle between two whole numbers, rounding is exact, and `toFixed`, which takes ten times as long, is
  // not needed.
  if (whole >= 0 && whole < 1e9 && Math.abs(millionths - whole) < 0.49) return plainDollars(whole);
  const fixed = value.toFixed(6);
  let end = fixed.length;
  while (fixed.charAt(end - 1) === "0" && fixed.charAt(end - 3) !== ".") end--;
  return `$${fixed.slice(0, end)}`;
}

/** Amounts below this number of US dollars are formatted with two significant digits. */
const SMALL_DOLLARS = 1e-5;

function smallDollars(value: number): string {
  const fixed = value.toFixed(Math.min(100, 1 - Math.floor(Math.log10(value))));
  return `$${fixed.replace(/0+$/, "")}`;
}

export function signedDollars(value: number): string {
  const size = dollars(Math.abs(value));
  return value === 0 ? size : `${value < 0 ? "−" : "+"}${size}`;
}

function plainDollars(millionths: number): string {
  let fraction = millionths % 1e6;
  const dollars = (millionths - fraction) / 1e6;
  let digits = 6;
  while (digits > 2 && fraction % 10 === 0) {
    fraction /= 10;
    digits--;
  }
  return `$${dollars}.${String(fraction).padStart(digits, "0")}`;
}

const MOST_LISTED = 8;

const LONGEST_NAME = 80;

/** Truncates a name that a sender chose, to a length that real tool names do not exceed. */
export function short(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`;
}

/** Returns a value as text, truncated to `most` characters. */
export function textual(value: JsonValue | undefined, most: number): string {
  if (value === undefined) return "";
  return textOrJson(value).slice(0, most);
}

/** Returns a list such as `a, b and c`. Lists more than eight items as `a, … and 3 more`. */
export function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_LISTED).map(short);
  const rest = items.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} more`;
  const last = shown.pop();
  if (last === undefined) return "none";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** Returns a list of texts in quotation marks. */
export function quoted(items: readonly string[]): string {
  return listed(items.map((item) => JSON.stringify(item)));
}

/** Returns tools and their numbers of calls, in the order of the first call: `search ×9, rerank`. */
export function tallied(names: readonly (string | null)[]): string {
  const counts = countsOf(names.map((name) => (name === null ? "an unnamed tool" : short(name))));
  return listed([...counts].map(([name, times]) => (times === 1 ? name : `${name} ×${times}`)));
}

/** Returns a sequence of tools as text, with repeats combined and the middle omitted: `search ×9 → grade → … 7 more … → answer`. */
export function arrows(names: readonly (string | null)[]): string {
  if (names.length === 0) return "no tools";
  const shown = drawnTogether(names.map((name) => (name === null ? "(unnamed)" : short(name))));
  if (shown.length <= MOST_LISTED + 1) return shown.join(" → ");
  const head = shown.slice(0, MOST_LISTED - 1);
  const tail = shown.slice(-1);
  return [...head, `… ${shown.length - MOST_LISTED} more …`, ...tail].join(" → ");
}

function drawnTogether(names: readonly string[]): readonly string[] {
  const groups: { name: string; times: number }[] = [];
  for (const name of names) {
    const last = groups.at(-1);
    if (last?.name === name) last.times++;
    else groups.push({ name, times: 1 });
  }
  return groups.map(({ name, times }) => (times === 1 ? name : `${name} ×${times}`));
}
