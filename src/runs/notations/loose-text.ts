import { isExactInteger, type JsonObject, type JsonValue } from "../../model/json.ts";

/** The result of parsing. `isCut`: the text ends before the value does. */
export interface ParsedText {
  readonly value: JsonValue;
  readonly isCut: boolean;
  /** Key of the outermost object whose value was dropped, because the text ended within this value; null if there is none. */
  readonly cutKey: string | null;
}

const openValues = new WeakSet<JsonObject | readonly JsonValue[]>();

/**
 * Whether a list or object was not closed at the end of its text. Its last members are unknown, so callers either read the known members
 * one by one, or treat the value as unknown.
 */
export function isOpen(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null && openValues.has(value);
}

function noteOpen(value: JsonValue | undefined): void {
  if (typeof value === "object" && value !== null) openValues.add(value);
}

const MAX_DEPTH = 100;
const MAX_NODES = 100_000;

/** Key for the class name of a printed object: `Choice(index=0)` becomes `{ $class: "Choice", index: 0 }`. */
export const classKey = "$class";
/** Key for unnamed arguments of a printed object: `UUID('…')` becomes `{ $class: "UUID", $arguments: ["…"] }`. */
const positionalKey = "$arguments";

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["None", null],
  ["null", null],
  ["nan", null],
  ["NaN", null],
  ["inf", null],
  ["Infinity", null],
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
]);

const BACKSLASH = 92;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };

/** Patterns that match at the parser's position in the text. */
const tokens = {
  /** Matches the opening quote of a string, a number, or a word. */
  scalar:
    /([bBuUfF]?[rR]?(?:'''|"""|'|"))|([-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_][\w.]*)/y,
  quote: /[bBuUfF]?[rR]?(?:'''|"""|'|")/y,
  code: /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y,
  enumHead: /<[\w.]+:\s*(?=['"\d])/y,
  enumEnd: /\s*(?:>|$)/y,
  assignment: /([A-Za-z_]\w*)\s*=(?!=)/y,
  /** A field's name at the end of a truncated text. */
  cutField: /[a-z_]\w*$/y,
} as const;
const enumMember = /^(?:[A-Z]\w*\.)+([A-Z][A-Z0-9_]*)$/;
/** Matches fields that were printed without their class: `content='…' id='…'`. */
const bareFields = /^\s*[a-z_]\w*=/;

type Fields = Record<string, JsonValue>;

const noToken = ["", undefined, undefined, undefined] as const;

/** An open bracket with its content so far, or the whole text. */
interface Frame {
  readonly outer: Frame | null;
  readonly depth: number;
  /** Code of the closing bracket; -1 for the whole text. */
  readonly close: number;
  /** Whether members have names followed by `=`, as in a printed object. */
  readonly isObject: boolean;
  /** Null before the first key, because creating an object without a prototype is slow. */
  fields: Fields | null;
  readonly items: JsonValue[];
  /** Key of the next value. */
  key: string | null;
  isSeparated: boolean;
}

function frameIn(outer: Frame | null, close: number, className: string | null): Frame {
  const isObject = className !== null;
  const frame: Frame = {
    outer,
    depth: outer === null ? Number(isObject) : outer.depth + 1,
    close,
    isObject,
    fields: isObject ? (Object.create(null) as Fields) : null,
    items: [],
    key: null,
    isSeparated: true,
  };
  if (frame.fields !== null && outer !== null) frame.fields[classKey] = className;
  return frame;
}

/** Returns the value of a finished frame. `isWhole`: the closing bracket is present. */
function valueOf(
  { close, isObject, fields, items, isSeparated }: Frame,
  isWhole: boolean,
): JsonValue | undefined {
  if (close === -1 && !isObject) return items[0];
  if (!isObject && (close !== 125 || items.length > 0))
    // Parentheses around a single value are not a tuple.
    return close === 41 && items.length === 1 && isWhole && !isSeparated ? items[0] : items;
  const object = fields ?? (Object.create(null) as Fields);
  // Rust prints an optional value as `Some(value)` or `None`.
  if (isWhole && items.length === 1 && object[classKey] === "Some" && Object.keys(object).length === 1)
    return items[0];
  if (items.length > 0) object[positionalKey] = items;
  return object;
}

/**
 * Parses incomplete JSON and the output of Python's `repr` and `str`: dicts, lists, tuples, sets, strings, numbers, enums (`<Role.USER:
 * 'user'>`) and objects (`Choice(index=0, message=Message(…))`), and Rust's optional values (`Some(1)`). A token that the end of the text
 * truncates is dropped, because it is incomplete.
 */
export class LooseText {
  readonly #text: string;
  #at = 0;
  #isCut = false;
  #cutKey: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns undefined if the text has no value, cannot be parsed, or is too deep or too large. */
  read(): ParsedText | undefined {
    const text = this.#text;
    let frame = frameIn(null, -1, bareFields.test(text) ? "" : null);
    /** What is expected next: a member of the frame, the value of a key, or a colon, which makes the value before it a key. */
    let next: "member" | "value" | "colon" = "member";
    let value: JsonValue | undefined;
    let nodes = 0;
    for (;;) {
      let code = text.charCodeAt(this.#at);
      while (code === 32 || (code >= 9 && code <= 13)) code = text.charCodeAt(++this.#at);
      const isEnd = this.#at >= text.length;
      const isInBrackets = frame.close !== -1;
      if (next === "colon") {
        next = code === 58 ? "value" : "member";
        if (code === 58) {
          this.#at++;
          frame.key = typeof value === "string" ? value : JSON.stringify(value);
        } else if (!isEnd && value !== undefined) frame.items.push(value);
        continue;
      }
      if (next === "member" && !isEnd && code !== frame.close) {
        if (code === 44 && isInBrackets) {
          this.#at++;
          frame.isSeparated = true;
          continue;
        }
        if (!frame.isSeparated && (isInBrackets || !frame.isObject)) return undefined;
        frame.isSeparated = false;
        next = "value";
        if (!frame.isObject) continue;
        tokens.assignment.lastIndex = this.#at;
        frame.key = tokens.assignment.exec(text)?.[1] ?? null;
        if (frame.key !== null) this.#at = tokens.assignment.lastIndex;
        else if (!isInBrackets) return undefined;
        tokens.cutField.lastIndex = this.#at;
        if (frame.key === null && tokens.cutField.test(text)) {
          this.#at = text.length;
          next = "member";
        }
        continue;
      }
      if (next === "member") {
        value = valueOf(frame, !isEnd);
        if (frame.outer === null) {
          if (value === undefined) return undefined;
          if (this.#isCut) noteOpen(value);
          return { value, isCut: this.#isCut, cutKey: this.#cutKey };
        }
        if (isEnd) this.#isCut = true;
        if (isEnd) noteOpen(value);
        this.#at++;
        frame = frame.outer;
      } else {
        next = "member";
        if (frame.depth > MAX_DEPTH || ++nodes > MAX_NODES) return undefined;
        const close = code === 40 ? 41 : code === 91 ? 93 : code === 123 ? 125 : -1;
        if (close !== -1) {
          this.#at++;
          frame = frameIn(frame, close, null);
          continue;
        }
        // An enum such as `<Role.USER: 'user'>` is read as its value; any other `<…>` is read as a text.
        tokens.enumHead.lastIndex = this.#at;
        const isEnum = code === 60 && tokens.enumHead.test(text);
        if (isEnum) this.#at = tokens.enumHead.lastIndex;
        if (isEnum && (frame.depth === MAX_DEPTH || ++nodes > MAX_NODES)) return undefined;
        tokens.scalar.lastIndex = this.#at;
        const [token, quote, number, word] = tokens.scalar.exec(text) ?? noToken;
        this.#at += token.length;
        const isLast = this.#at >= text.length;
        if (quote !== undefined) value = this.#string(quote);
        else if (number !== undefined)
          value =
            isLast && (frame.depth > 0 || isEnum) ? this.#cut() : numberOrDigits(number.replaceAll("_", ""));
        else if (word !== undefined && text.charCodeAt(this.#at) === 40) {
          this.#at++;
          frame = frameIn(frame, 41, word.slice(word.lastIndexOf(".") + 1));
          continue;
        } else if (word !== undefined) {
          if (words.has(word)) value = words.get(word);
          else if (isLast && mayGoOn(word)) value = this.#cut();
          else if ((value = enumMember.exec(word)?.[1]?.toLowerCase()) === undefined) return undefined;
        } else if (isEnd) value = this.#cut();
        else if (code === 60 && frame.depth > 0) value = this.#angle();
        else return undefined;
        tokens.enumEnd.lastIndex = this.#at;
        if (isEnum && !tokens.enumEnd.test(text)) return undefined;
        if (isEnum) this.#at = tokens.enumEnd.lastIndex;
      }
      if (frame.key !== null) {
        if (value !== undefined) (frame.fields ??= Object.create(null) as Fields)[frame.key] = value;
        else if (frame.depth <= 1) this.#cutKey = frame.key;
        frame.key = null;
      } else if (value !== undefined && frame.close !== 125) frame.items.push(value);
      else if (value !== undefined) next = "colon";
    }
  }

  #cut(): undefined {
    this.#isCut = true;
  }

  /** Reads a string with any quotes and prefix. Adjacent strings are joined, as in Python. */
  #string(first: string): string | undefined {
    const text = this.#text;
    let whole = "";
    for (let open: string | undefined = first; open !== undefined;) {
      const isRaw = /r/i.test(open);
      const quote = open.replace(/^\w+/, "");
      const end = quote.charCodeAt(0);
      let from = this.#at;
      for (; ; this.#at++) {
        if (this.#at >= text.length) return this.#cut();
        const code = text.charCodeAt(this.#at);
        if (code === end && text.startsWith(quote, this.#at)) break;
        if (code !== BACKSLASH || isRaw) continue;
        whole += text.slice(from, this.#at);
        tokens.code.lastIndex = this.#at;
        const [written = "", two, four, eight] = tokens.code.exec(text) ?? [];
        const char = text[this.#at + 1] ?? "";
        const point = Number.parseInt(two ?? four ?? eight ?? "", 16);
        if (written === "") whole += escapes[char] ?? (char === "\n" ? "" : char);
        else if (point <= 0x10ffff) whole += String.fromCodePoint(point);
        this.#at += Math.max(written.length, 2) - 1;
        from = this.#at + 1;
      }
      whole += text.slice(from, this.#at);
      this.#at += quote.length;
      while (/\s/.test(text[this.#at] ?? "")) this.#at++;
      tokens.quote.lastIndex = this.#at;
      open = tokens.quote.exec(text)?.[0];
      this.#at += open?.length ?? 0;
    }
    return whole;
  }

  /** Text in angle brackets. */
  #angle(): string | undefined {
    const from = this.#at;
    let open = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 60) open++;
      else if (code === 62 && --open === 0) return this.#text.slice(from, ++this.#at);
    }
    return this.#cut();
  }
}

/** Returns a printed number. An integer that is too large for a double is returned as the text of its digits. */
function numberOrDigits(written: string): number | string {
  return /^-?\d{16,}$/.test(written) && !isExactInteger(written) ? written : Number(written);
}

/** Whether a word at the end of a truncated text may be the beginning of a longer word. */
function mayGoOn(word: string): boolean {
  if (/^[A-Z]/.test(word)) return true;
  for (const known of words.keys()) if (known.startsWith(word)) return true;
  return false;
}
