import { type JsonValue, parseJsonText } from "../../model/json.ts";
import { LooseText, type ParsedText } from "./loose-text.ts";

export { isOpen, type ParsedText } from "./loose-text.ts";

/**
 * Matches possible beginnings of JSON and of printed Python data. The check is worthwhile because a failed parse costs as much as parsing
 * kilobytes.
 */
const beginsJson = /^\s*(?:\[\s*(?:[[{"]|-?\d|true|false|null|\])|\{\s*(?:"|\})|"(?!""))/;
const beginsRepr = /^\s*(?:[[{(]|<[\w.]+:\s*['"\d]|[A-Za-z_][\w.]*\(|[a-z_]\w*=['"[{(<\dNTF])/;

/** Parses JSON or printed Python data, complete or truncated. Undefined for other text, and for values that exceed `valueBounds`. */
export function parseText(text: string): ParsedText | undefined {
  let at = 0;
  let code = text.charCodeAt(0);
  while (code <= 32) code = text.charCodeAt(++at);
  // Most texts are plain words. A value begins with `{`, `[`, `"`, `(`, `<`, or a name, so the first character excludes most texts.
  const isBracket = code === 123 || code === 91 || code === 34 || code === 40 || code === 60;
  const isLetter = ((code | 32) >= 97 && (code | 32) <= 122) || code === 95;
  if (!isBracket && !(isLetter && beginsRepr.test(text))) return undefined;
  if (beginsJson.test(text)) {
    const { value, problem } = parseJsonText(text);
    if (value !== undefined) return { value, isCut: false, cutKey: null };
    if (problem !== "syntax") return undefined;
    // JSON that does not parse may be truncated JSON or printed Python data, which are read below.
  }
  return beginsRepr.test(text) ? new LooseText(withoutMark(text)).read() : undefined;
}

/** Parses a text that contains JSON or printed data, up to three levels of texts within texts. Any other value is returned unchanged. */
export function unfold(value: JsonValue): JsonValue {
  let inner = value;
  for (let depth = 0; depth < 3 && typeof inner === "string"; depth++) {
    const parsed = parseText(inner);
    if (parsed === undefined) return inner;
    inner = parsed.value;
  }
  return inner;
}

/** Matches the suffix of a truncated text, such as `[truncated]` or `[... preview truncated ...]`. A separator (`;`) may follow if the text is an item of a printed list. */
const mark =
  /\s*(?:\.\.\.|…)?\s*(?:[[(<]truncated\b[^\])>]*[\])>]|\[(?:\.\.\.|…)[^\]]*\btruncated\b[^\]]*\])\s*;?\s*$|(?:\.\.\.|…)\s*$/i;
const LONGEST_MARK = 64;

/** Removes the suffix of a truncated text, so that the text before it can be parsed. */
function withoutMark(text: string): string {
  const from = Math.max(0, text.length - LONGEST_MARK);
  const found = mark.exec(text.slice(from));
  return found === null ? text : text.slice(0, from + found.index);
}

const LONGEST_BEGIN = 24;

/**
 * Whether a truncated text and another text may be copies of one text: their letters and digits begin alike. The notations of a text differ
 * in white space, quotes and escapes. A text with another beginning is another text, which happened to have the same place or id.
 */
export function beginsAlike(cut: string, other: string): boolean {
  const begin = lettersOf(withoutMark(cut)).slice(0, LONGEST_BEGIN);
  return lettersOf(other).startsWith(begin);
}

/** Returns the letters and digits at the beginning of a text. */
function lettersOf(text: string): string {
  return text.slice(0, LONGEST_BEGIN * 8).replace(/\\[nrt]|[^\p{L}\p{N}]+/gu, "");
}

/**
 * Whether a plain text was truncated. A truncated text has a known suffix. Or it ends with dots, and its length is a usual limit (128, 256,
 * 512 …, or a multiple of 100). Dots alone prove nothing, because they can end a sentence.
 */
export function isCutText(text: string): boolean {
  const from = Math.max(0, text.length - LONGEST_MARK);
  const last = text.charCodeAt(text.length - (text.endsWith("; ") ? 3 : 1));
  // The last characters of known suffixes: `.`, `…`, `]`, `)`, `>`.
  if (last !== 46 && last !== 8230 && last !== 93 && last !== 41 && last !== 62) return false;
  const found = mark.exec(text.slice(from));
  if (found === null) return false;
  return found[0].toLowerCase().includes("truncated") || isLimit(text.length) || isLimit(from + found.index);
}

function isLimit(length: number): boolean {
  return length >= 100 && (length % 100 === 0 || (length >= 128 && (length & (length - 1)) === 0));
}
