import type { JsonValue } from "../../model/json.ts";

const maxDepth = 60;

/** The key under which the class of a printed object stands: `Choice(index=0)` reads as `{ $class: "Choice", index: 0 }`. */
export const classKey = "$class";

const beginsLikeRepr = /^\s*(?:[[{(<]|[A-Za-z_][\w.]*\(|[a-z_]\w*=['"[{(<\dNTF])/;

/**
 * Reads what Python's `repr` and `str` print of data: dicts, lists, tuples, strings, numbers, enums (`<Role.USER: 'user'>`),
 * and objects (`Choice(index=0, message=Message(…))`, `content='…' id='…'`). A text that was cut off is read as far as it
 * goes. `undefined` when the text is none of these.
 */
export function readRepr(text: string): JsonValue | undefined {
  if (!beginsLikeRepr.test(text)) return undefined;
  const reader = new ReprReader(text);
  return reader.read();
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };
const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["None", null],
  ["null", null],
  ["nan", null],
  ["inf", null],
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
]);

/** What stands at a place of the text. */
const tokens = {
  fieldName: /[A-Za-z_]\w*/y,
  number: /[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy,
  word: /[A-Za-z_][\w.]*/y,
  quote: /(?:[bBuUfF]?[rR]?)(?:'''|"""|'|")/y,
  enumHead: /<[\w.]+:\s*(?=['"\d])/y,
  enumEnd: /\s*>/y,
  assignment: /[A-Za-z_]\w*\s*=(?!=)/y,
} as const;

class ReprReader {
  readonly #text: string;
  #at = 0;
  #failed = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonValue | undefined {
    const value = this.#fields() ?? this.#restart();
    if (this.#failed) return undefined;
    this.#space();
    return this.#at < this.#text.length ? undefined : value;
  }

  #restart(): JsonValue | undefined {
    this.#at = 0;
    this.#failed = false;
    return this.#value(0);
  }

  /** `content='…' name='…'`: how some libraries print an object without its class. */
  #fields(): JsonValue | undefined {
    if (!/^\s*[a-z_]\w*=/.test(this.#text)) return undefined;
    const object = Object.create(null) as Record<string, JsonValue>;
    while (!this.#failed && !this.#ended()) {
      const name = this.#match(tokens.fieldName);
      if (name === "" || this.#text[this.#at] !== "=") return undefined;
      this.#at += 1;
      const value = this.#value(1);
      if (value !== undefined) object[name] = value;
    }
    return this.#failed ? undefined : object;
  }

  #space(): void {
    while (" \t\r\n".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #ended(): boolean {
    this.#space();
    return this.#at >= this.#text.length;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return "";
    const from = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(from, this.#at);
  }

  #fail(): undefined {
    this.#failed = true;
    return undefined;
  }

  #value(depth: number): JsonValue | undefined {
    if (depth > maxDepth) return this.#fail();
    if (this.#ended()) return undefined;
    const char = this.#text[this.#at] ?? "";
    if (char === "[") return this.#items("]", depth);
    if (char === "(") return this.#group(depth);
    if (char === "{") return this.#dict(depth);
    if (char === "<") return this.#angle(depth);
    const string = this.#string();
    if (string !== undefined) return string;
    const number = this.#match(tokens.number);
    if (number !== "") return Number(number.replaceAll("_", ""));
    return this.#word(depth);
  }

  #word(depth: number): JsonValue | undefined {
    const name = this.#match(tokens.word);
    if (name === "") return this.#fail();
    if (this.#text[this.#at] === "(") return this.#call(name, depth);
    const known = words.get(name);
    if (known !== undefined) return known;
    const enumMember = /^(?:[A-Z]\w*\.)+([A-Z][A-Z0-9_]*)$/.exec(name)?.[1];
    return enumMember === undefined && !this.#ended() ? this.#fail() : (enumMember ?? name).toLowerCase();
  }

  /** Strings with any quotes and prefix; adjacent ones are one string. */
  #string(): string | undefined {
    let whole: string | undefined;
    for (;;) {
      const open = this.#match(tokens.quote);
      if (open === "") return whole;
      const quote = open.replace(/^\w+/, "");
      whole = (whole ?? "") + this.#quoted(quote, /r/i.test(open));
      this.#space();
    }
  }

  #quoted(quote: string, raw: boolean): string {
    let value = "";
    let from = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === "\\" && !raw) {
        value += this.#text.slice(from, this.#at) + this.#escape();
        from = this.#at + 1;
      } else if (char === quote[0] && this.#text.startsWith(quote, this.#at)) {
        value += this.#text.slice(from, this.#at);
        this.#at += quote.length;
        return value;
      }
    }
    return value + this.#text.slice(from);
  }

  /** Leaves the position on the last character of the escape. */
  #escape(): string {
    const code = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
    code.lastIndex = this.#at;
    const match = code.exec(this.#text);
    if (match !== null) {
      this.#at += match[0].length - 1;
      const point = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? "0", 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : "";
    }
    this.#at += 1;
    const char = this.#text[this.#at] ?? "";
    return escapes[char] ?? (char === "\n" ? "" : char);
  }

  #items(close: string, depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#at += 1;
    while (!this.#failed && !this.#ended()) {
      const char = this.#text[this.#at];
      if (char === close) {
        this.#at += 1;
        break;
      }
      if (char === ",") {
        this.#at += 1;
        continue;
      }
      const value = this.#value(depth + 1);
      if (value !== undefined) items.push(value);
      if (!this.#separated(close)) this.#fail();
    }
    return items;
  }

  #separated(close: string): boolean {
    return this.#ended() || this.#text[this.#at] === "," || this.#text[this.#at] === close;
  }

  /** A tuple; parentheses around one value are just that. */
  #group(depth: number): JsonValue {
    const from = this.#at;
    const items = this.#items(")", depth);
    const comma = this.#text
      .slice(from, this.#at)
      .replace(/\)\s*$/, "")
      .trimEnd()
      .endsWith(",");
    return items.length === 1 && !comma ? (items[0] ?? null) : items;
  }

  /** A dict, or a set as a list. */
  #dict(depth: number): JsonValue {
    const object = Object.create(null) as Record<string, JsonValue>;
    const members: JsonValue[] = [];
    this.#at += 1;
    while (!this.#failed && !this.#ended()) {
      const char = this.#text[this.#at];
      if (char === "}") {
        this.#at += 1;
        break;
      }
      if (char === ",") {
        this.#at += 1;
        continue;
      }
      const key = this.#value(depth + 1);
      if (key === undefined) break;
      if (!this.#ended() && this.#text[this.#at] === ":") {
        this.#at += 1;
        const value = this.#value(depth + 1);
        if (value !== undefined) object[typeof key === "string" ? key : JSON.stringify(key)] = value;
      } else members.push(key);
      if (!this.#separated("}")) this.#fail();
    }
    return members.length > 0 ? members : object;
  }

  /** `<Role.USER: 'user'>` is its value; any other `<…>` is its text. */
  #angle(depth: number): JsonValue | undefined {
    const enumHead = this.#match(tokens.enumHead);
    if (enumHead !== "") {
      const value = this.#value(depth + 1);
      if (this.#match(tokens.enumEnd) === "") this.#fail();
      return value;
    }
    const from = this.#at;
    let open = 0;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === "<") open += 1;
      else if (char === ">") open -= 1;
      if (open === 0) break;
    }
    this.#at += 1;
    return depth === 0 ? this.#fail() : this.#text.slice(from, this.#at);
  }

  #call(name: string, depth: number): JsonValue {
    const object = Object.create(null) as Record<string, JsonValue>;
    object[classKey] = name.slice(name.lastIndexOf(".") + 1);
    const positional: JsonValue[] = [];
    this.#at += 1;
    while (!this.#failed && !this.#ended()) {
      const char = this.#text[this.#at];
      if (char === ")") {
        this.#at += 1;
        break;
      }
      if (char === ",") {
        this.#at += 1;
        continue;
      }
      const field = this.#match(tokens.assignment);
      const value = this.#value(depth + 1);
      if (value !== undefined) {
        if (field === "") positional.push(value);
        else object[field.slice(0, -1).trimEnd()] = value;
      }
      if (!this.#separated(")")) this.#fail();
    }
    if (positional.length > 0) object["$arguments"] = positional;
    return object;
  }
}
