/** Any JSON value. Objects from received data have no prototype, because their keys are untrusted. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a text unchanged, and another value as JSON. */
export function textOrJson(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Limits of a JSON value. `levels`: maximum nesting of lists and objects. `nodes`: maximum number of values. */
export interface JsonBounds {
  readonly levels: number;
  readonly nodes: number;
  /** Whether an integer becomes a string of its digits if a JavaScript number cannot represent it exactly. */
  readonly exact?: boolean;
}

/**
 * Limits of a single value from telemetry, a model or a user. They also limit the recursion depth of functions that process the value.
 * Integers stay exact, because checks compare values.
 */
export const valueBounds: JsonBounds = { levels: 100, nodes: 100_000, exact: true };

/**
 * Limits of a complete file or response, which contains many values. The number of values is not limited here, because the readers of files
 * and responses limit the size of the text.
 */
export const documentBounds: JsonBounds = { levels: 256, nodes: Infinity };

export type ParsedJson =
  | { readonly value: JsonValue; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: "syntax" | "depth" | "nodes" };

/** Parses untrusted JSON. Never throws. JSON above the limits is rejected before parsing, so it uses neither memory nor stack. */
export function parseJsonText(text: string, bounds = valueBounds): ParsedJson {
  const problem = excess(text, bounds) ?? (mayBeWhole(text) ? undefined : "syntax");
  if (problem !== undefined) return { problem };
  try {
    return { value: JSON.parse(bounds.exact === true ? withExactIntegers(text) : text) as JsonValue };
  } catch {
    return { problem: "syntax" };
  }
}

const WHOLE_TEXT = /^"(?:[^"\\]|\\.)*"$/s;
/** Maximum length, in characters, of a text on which `WHOLE_TEXT` is run. This regular expression uses stack for each character. */
const LONGEST_TESTED = 1_000;

/**
 * Whether the first and last characters can enclose one JSON value. This check avoids parses that fail, each of which costs as much as
 * parsing kilobytes. Telemetry may contain 100,000 texts that only begin like JSON.
 */
function mayBeWhole(text: string): boolean {
  const whole = text.trim();
  const [first, last] = [whole[0], whole.at(-1)];
  if (first === "{") return last === "}";
  if (first === "[") return last === "]";
  if (first !== '"') return true;
  return last === '"' && (whole.length > LONGEST_TESTED || WHOLE_TEXT.test(whole));
}

/** Returns the value of a JSON text; undefined if the JSON is invalid or above the limits. */
export function parseJson(text: string, bounds = valueBounds): JsonValue | undefined {
  const parsed = parseJsonText(text, bounds);
  return parsed.problem === undefined ? parsed.value : undefined;
}

/** Whether a JavaScript number represents these digits exactly, so that it converts back to the same digits. */
export function isExactInteger(digits: string): boolean {
  return String(Number(digits)) === digits;
}

const stringOrNumber = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const longInteger = /^-?\d{16,}$/;

function withExactIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replace(stringOrNumber, (token) =>
    longInteger.test(token) && !isExactInteger(token) ? `"${token}"` : token,
  );
}

/** Returns the first integer in a JSON text that a JavaScript number cannot represent exactly; undefined if there is none. */
export function roundedIntegerIn(json: string): string | undefined {
  return json.match(stringOrNumber)?.find((token) => {
    const value = Number(token);
    return longInteger.test(token) && (!Number.isFinite(value) || BigInt(token) !== BigInt(value));
  });
}

/** Whether a text is a list or object above the limits. Such a text is not parsed. */
export function exceedsBounds(text: string, bounds = valueBounds): boolean {
  const problem = excess(text, bounds);
  return problem === "depth" || problem === "nodes";
}

function excess(text: string, bounds: JsonBounds): "syntax" | "depth" | "nodes" | undefined {
  // Each level takes at least two characters, and each node after the first also takes at least two.
  const mayHoldTooMany = text.length > 2 * bounds.nodes;
  if (!mayHoldTooMany && (text.length < 2 * bounds.levels + 2 || !hasMoreBrackets(text, bounds.levels)))
    return undefined;
  if (!/^[ \t\r\n]*[[{]/.test(text)) return undefined;
  return measure(text, bounds);
}

function hasMoreBrackets(text: string, count: number): boolean {
  let found = 0;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++found > count) return true;
  return false;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Returns the limit that a text exceeds, judged by its brackets and commas outside strings; undefined if it exceeds none. Some invalid JSON
 * is recognised here ("syntax"); the parser rejects all other invalid JSON.
 */
function measure(text: string, { levels, nodes }: JsonBounds): "syntax" | "depth" | "nodes" | undefined {
  let level = 0;
  let deepest = 0;
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = closingQuote(text, at);
        if (at < 0) return "syntax";
        break;
      case COMMA:
        count++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++level > deepest) deepest = level;
        count++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (--level < 0) return "syntax";
        if (isEmptyBefore(text, at)) count--;
    }
  }
  if (level !== 0) return "syntax";
  if (deepest > levels) return "depth";
  return count > nodes ? "nodes" : undefined;
}

/**
 * Returns the index of the quote that ends the string beginning at `start`; -1 if there is none. An escaped quote does not end a string.
 */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((at - first) % 2 === 0) return at;
  }
  return -1;
}

/** Whether the list or object whose closing bracket is at `end` is empty. */
function isEmptyBefore(text: string, end: number): boolean {
  let at = end - 1;
  while (text.charCodeAt(at) <= 32) at--;
  const before = text.charCodeAt(at);
  return before === OPEN_LIST || before === OPEN_OBJECT;
}
