import { isExactInteger, type JsonValue } from "../../model/json.ts";

/** The parsed value of a text. `isCut`: the text ended before the value did. */
export interface ParsedText {
  readonly value: JsonValue;
  readonly isCut: boolean;
  /** Lists and objects that are open at the end of the text; undefined for a complete value. */
  readonly open: ReadonlySet<JsonValue> | undefined;
}

const MAX_DEPTH = 100;
const MAX_NODES = 100_000;

/** Key for the class of a printed object: `Choice(index=0)` becomes `{ $class: "Choice", index: 0 }`. */
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

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };

/** Token at a position of the text. */
const tokens = {
  number: /[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy,
  word: /[A-Za-z_][\w.]*/y,
  quote: /(?:[bBuUfF]?[rR]?)(?:'''|"""|'|")/y,
  code: /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y,
  enumHead: /<[\w.]+:\s*(?=['"\d])/y,
  enumEnd: /\s*>/y,
  /** A field's name at the end of a text that was cut off. */
  cutField: /[a-z_]\w*$/y,
  assignment: /[A-Za-z_]\w*\s*=(?!=)/y,
} as const;
const enumMember = /^(?:[A-Z]\w*\.)+([A-Z][A-Z0-9_]*)$/;
/** Fields printed without the class around them: `content='…' id='…'`. */
const bareFields = /^\s*[a-z_]\w*=/;

/** Internal exception: the text contains no value. */
const noValue = new Error("no value");

type Fields = Record<string, JsonValue>;

/** Content between brackets. `fields` is null without keys, because creating an object without a prototype is slow. */
interface Members {
  fields: Fields | null;
  readonly items: JsonValue[];
}

/**
 * Parses incomplete JSON and the output of Python's `repr` and `str`: dicts, lists, tuples, sets, strings, numbers, enums (`<Role.USER:
 * 'user'>`) and objects (`Choice(index=0, message=Message(…))`). A token that the end of the text cuts is dropped, because its rest is
 * unknown.
 */
export class LooseText {
  readonly #text: string;
  #at = 0;
  #nodes = 0;
  #isCut = false;
  readonly #open = new Set<JsonValue>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns undefined if the text has no value, or if the value is too deep or too large. */
  read(): ParsedText | undefined {
    try {
      const value = bareFields.test(this.#text) ? this.#bareFields() : this.#value(0);
      if (value === undefined || !this.#isAtEnd()) return undefined;
      return { value, isCut: this.#isCut, open: this.#isCut ? this.#open : undefined };
    } catch (error) {
      if (error !== noValue) throw error;
      return undefined;
    }
  }

  #bareFields(): JsonValue {
    const members: Members = { fields: newFields(), items: [] };
    while (!this.#isAtEnd()) {
      const name = this.#match(tokens.assignment);
      if (name === "") throw noValue;
      this.#set(members, name.slice(0, -1).trimEnd(), this.#value(1));
    }
    return members.fields;
  }

  #set(members: Members, name: string, value: JsonValue | undefined): void {
    if (value !== undefined) (members.fields ??= newFields())[name] = value;
  }

  #isAtEnd(): boolean {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 32 || (code >= 9 && code <= 13)) code = this.#text.charCodeAt(++this.#at);
    return this.#at >= this.#text.length;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return "";
    const from = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(from, this.#at);
  }

  /** Undefined if the text ends within the value. */
  #value(depth: number): JsonValue | undefined {
    if (depth > MAX_DEPTH || ++this.#nodes > MAX_NODES) throw noValue;
    if (this.#isAtEnd()) return this.#cut();
    const char = this.#text[this.#at] ?? "";
    if (char === "[") return this.#members("]", depth);
    if (char === "(") return this.#members(")", depth);
    if (char === "{") return this.#members("}", depth);
    if (char === "<") return this.#angle(depth);
    const open = this.#match(tokens.quote);
    if (open !== "") return this.#string(open);
    const number = this.#match(tokens.number);
    if (number === "") return this.#word(depth);
    return depth > 0 && this.#at >= this.#text.length
      ? this.#cut()
      : numberOrDigits(number.replaceAll("_", ""));
  }

  #cut(): undefined {
    this.#isCut = true;
    return undefined;
  }

  #word(depth: number): JsonValue | undefined {
    const name = this.#match(tokens.word);
    if (name === "") throw noValue;
    if (this.#text[this.#at] === "(") return this.#members(")", depth, name.slice(name.lastIndexOf(".") + 1));
    const known = words.get(name);
    if (known !== undefined) return known;
    const isLast = this.#at >= this.#text.length;
    if (isLast && (/^[A-Z]/.test(name) || beginsWord(name))) return this.#cut();
    const member = enumMember.exec(name)?.[1];
    if (member === undefined) throw noValue;
    return member.toLowerCase();
  }

  /** Strings with any quotes and prefix; adjacent ones are one string. */
  #string(first: string): string | undefined {
    let whole = "";
    for (let open = first; open !== ""; open = this.#match(tokens.quote)) {
      const quote = open.replace(/^\w+/, "");
      const part = this.#quoted(quote, /r/i.test(open));
      if (part === undefined) return this.#cut();
      whole += part;
      if (this.#isAtEnd()) break;
    }
    return whole;
  }

  #quoted(quote: string, isRaw: boolean): string | undefined {
    const text = this.#text;
    let value = "";
    let from = this.#at;
    const end = quote.charCodeAt(0);
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 92 && !isRaw) {
        value += text.slice(from, this.#at) + this.#escape();
        from = this.#at + 1;
      } else if (code === end && text.startsWith(quote, this.#at)) {
        value += text.slice(from, this.#at);
        this.#at += quote.length;
        return value;
      }
    }
    return undefined;
  }

  /** Leaves the position on the last character of the escape. */
  #escape(): string {
    tokens.code.lastIndex = this.#at;
    const match = tokens.code.exec(this.#text);
    if (match !== null) {
      this.#at += match[0].length - 1;
      const point = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? "0", 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : "";
    }
    this.#at += 1;
    const char = this.#text[this.#at] ?? "";
    return escapes[char] ?? (char === "\n" ? "" : char);
  }

  /** Parses a list, tuple, dict, set, or the fields of an object with a class. Text before `:` or `=` is a key. */
  #members(close: string, depth: number, className?: string): JsonValue {
    const members: Members = { fields: null, items: [] };
    const { items } = members;
    if (className !== undefined) this.#set(members, classKey, className);
    this.#at += 1;
    let isSeparated = true;
    while (!this.#isAtEnd() && this.#text[this.#at] !== close) {
      const isComma = this.#text[this.#at] === ",";
      if (!isComma && !isSeparated) throw noValue;
      isSeparated = isComma;
      if (isComma) this.#at += 1;
      else this.#member(members, close, depth + 1, className !== undefined);
    }
    const isWhole = this.#at < this.#text.length;
    this.#at += 1;
    if (className !== undefined && items.length > 0) this.#set(members, positionalKey, items);
    const hasFields = className !== undefined || (close === "}" && items.length === 0);
    const value = hasFields ? (members.fields ?? newFields()) : items;
    if (!isWhole) {
      this.#isCut = true;
      this.#open.add(value);
    }
    // Parentheses around a single value are not a tuple.
    const isGroup = close === ")" && value === items && items.length === 1 && isWhole && !isSeparated;
    return isGroup ? (items[0] ?? null) : value;
  }

  #member(members: Members, close: string, depth: number, isObject: boolean): void {
    const { items } = members;
    const name = isObject ? this.#match(tokens.assignment) : "";
    if (name === "" && isObject && this.#match(tokens.cutField) !== "") return;
    const value = this.#value(depth);
    if (name !== "") this.#set(members, name.slice(0, -1).trimEnd(), value);
    else if (close !== "}" || value === undefined) {
      if (value !== undefined) items.push(value);
    } else if (!this.#isAtEnd() && this.#text[this.#at] === ":") {
      this.#at += 1;
      this.#set(members, typeof value === "string" ? value : JSON.stringify(value), this.#value(depth));
    } else if (!this.#isAtEnd()) items.push(value);
  }

  /** `<Role.USER: 'user'>` is its value; any other `<…>` is its text. */
  #angle(depth: number): JsonValue | undefined {
    if (this.#match(tokens.enumHead) !== "") {
      const value = this.#value(depth + 1);
      if (this.#match(tokens.enumEnd) === "" && !this.#isAtEnd()) throw noValue;
      return value;
    }
    if (depth === 0) throw noValue;
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

function newFields(): Fields {
  return Object.create(null) as Fields;
}

/** Returns a printed number; an integer that a number cannot hold as its digits. */
function numberOrDigits(written: string): number | string {
  return /^-?\d{16,}$/.test(written) && !isExactInteger(written) ? written : Number(written);
}

function beginsWord(text: string): boolean {
  for (const word of words.keys()) if (word.startsWith(text)) return true;
  return false;
}
