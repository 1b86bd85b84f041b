import { type JsonValue, parseJsonText } from "../../model/json.ts";
import { LooseText, type ParsedText } from "./loose-text.ts";

export type { ParsedText } from "./loose-text.ts";

/** What JSON can go on with after its first character; a failed parse of other text would cost as much as reading kilobytes. */
const beginsJson = /^\s*(?:\[\s*(?:[[{"]|-?\d|true|false|null|\])|\{\s*(?:"|\})|"(?!""))/;
const beginsRepr = /^\s*(?:[[{(]|<[\w.]+:\s*['"\d]|[A-Za-z_][\w.]*\(|[a-z_]\w*=['"[{(<\dNTF])/;

/** The value that a text holds: JSON, or what Python prints of data, whole or cut off. Undefined for any other text, and beyond `valueBounds`. */
export function parseText(text: string): ParsedText | undefined {
  if (!beginsLikeValue(text)) return undefined;
  if (beginsJson.test(text)) {
    const { value, problem } = parseJsonText(text);
    if (value !== undefined) return { value, isCut: false, open: undefined };
    if (problem !== "syntax") return undefined;
    // Cut off, or Python's.
  }
  return beginsRepr.test(text) ? new LooseText(withoutMark(text)).read() : undefined;
}

/** The value behind texts within texts; anything else, and a text that holds none, stays what it is. */
export function unfold(value: JsonValue): JsonValue {
  let inner = value;
  for (let depth = 0; depth < 3 && typeof inner === "string"; depth++) {
    const parsed = parseText(inner);
    if (parsed === undefined) return inner;
    inner = parsed.value;
  }
  return inner;
}

/** By the first character: most texts are words. */
function beginsLikeValue(text: string): boolean {
  let at = 0;
  let code = text.charCodeAt(0);
  while (code <= 32) code = text.charCodeAt(++at);
  // `{`, `[`, `"`, `(`, `<`
  if (code === 123 || code === 91 || code === 34 || code === 40 || code === 60) return true;
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  return (isLetter || code === 95) && beginsRepr.test(text);
}

/** What producers put behind a text that they shortened. */
const mark = /\s*(?:\.\.\.|…)?\s*[[(<]truncated\b[^\])>]*[\])>]\s*$|(?:\.\.\.|…)\s*$/i;
const LONGEST_MARK = 64;

/** A shortened value without the mark of it; the mark would stand where a comma should be. */
function withoutMark(text: string): string {
  const from = Math.max(0, text.length - LONGEST_MARK);
  const found = mark.exec(text.slice(from));
  return found === null ? text : text.slice(0, from + found.index);
}

/**
 * Whether a plain text was shortened: it says so at its end, or it ends with dots and is as long as the limits that producers use (128, 256,
 * 512 …, or a number of hundreds). Dots alone also end sentences.
 */
export function isCutText(text: string): boolean {
  const from = Math.max(0, text.length - LONGEST_MARK);
  const last = text.charCodeAt(text.length - 1);
  // `.`, `…`, `]`, `)`, `>`
  if (last !== 46 && last !== 8230 && last !== 93 && last !== 41 && last !== 62) return false;
  const found = mark.exec(text.slice(from));
  if (found === null) return false;
  return found[0].toLowerCase().includes("truncated") || isLimit(text.length) || isLimit(from + found.index);
}

function isLimit(length: number): boolean {
  return length >= 100 && (length % 100 === 0 || (length >= 128 && (length & (length - 1)) === 0));
}
