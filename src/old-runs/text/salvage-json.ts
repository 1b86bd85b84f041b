import type { JsonValue } from "../../model/json.ts";

const maxDepth = 100;

/**
 * Reads JSON that was cut off: everything up to the cut, with open texts, lists and objects closed there. `undefined`
 * when the text is no JSON even up to its end (something else stands where a value or a comma should be).
 */
export function salvageJson(text: string): JsonValue | undefined {
  const reader = new CutJson(text);
  return reader.read();
}

/** Thrown inside only: the text ended, or it is not JSON. */
const cut = Symbol("cut");
const invalid = Symbol("invalid");
type Stop = typeof cut | typeof invalid;

class CutJson {
  readonly #text: string;
  #at = 0;
  #stop: Stop | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonValue | undefined {
    const value = this.#value(0);
    if (this.#stop === invalid) return undefined;
    this.#space();
    return this.#at < this.#text.length ? undefined : value;
  }

  #space(): void {
    while (" \t\r\n".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #next(): string {
    this.#space();
    const char = this.#text[this.#at];
    if (char === undefined) this.#stop ??= cut;
    return char ?? "";
  }

  #value(depth: number): JsonValue | undefined {
    if (depth > maxDepth) this.#stop = invalid;
    if (this.#stop !== undefined) return undefined;
    const char = this.#next();
    if (char === '"') return this.#string();
    if (char === "{") return this.#object(depth);
    if (char === "[") return this.#array(depth);
    return this.#literal();
  }

  #literal(): JsonValue | undefined {
    const match = /[-+.\w]*/y;
    match.lastIndex = this.#at;
    const word = match.exec(this.#text)?.[0] ?? "";
    this.#at += word.length;
    if (this.#at >= this.#text.length) {
      this.#stop ??= cut;
      return undefined;
    }
    if (word === "true" || word === "false") return word === "true";
    if (word === "null" || word === "NaN") return null;
    const number = Number(word);
    if (word === "" || !Number.isFinite(number)) this.#stop = invalid;
    return number;
  }

  #string(): string | undefined {
    const start = this.#at;
    let at = start + 1;
    for (; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char === "\\") at += 1;
      else if (char === '"') break;
    }
    const closed = at < this.#text.length;
    this.#at = Math.min(at + 1, this.#text.length);
    if (closed) return unquote(this.#text.slice(start, at + 1));
    this.#stop ??= cut;
    return undefined;
  }

  #array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#at += 1;
    while (this.#stop === undefined) {
      const char = this.#next();
      if (char === "]") {
        this.#at += 1;
        break;
      }
      if (char === ",") {
        this.#at += 1;
        continue;
      }
      const value = this.#value(depth + 1);
      if (value !== undefined) items.push(value);
    }
    return items;
  }

  #object(depth: number): JsonValue {
    const object = Object.create(null) as Record<string, JsonValue>;
    this.#at += 1;
    while (this.#stop === undefined) {
      const char = this.#next();
      if (char === "}") {
        this.#at += 1;
        break;
      }
      if (char === ",") {
        this.#at += 1;
        continue;
      }
      if (char !== '"') {
        this.#stop ??= invalid;
        break;
      }
      this.#entry(object, depth);
    }
    return object;
  }

  #entry(object: Record<string, JsonValue>, depth: number): void {
    const key = this.#string();
    if (this.#stop !== undefined || key === undefined) return;
    if (this.#next() !== ":") {
      this.#stop ??= invalid;
      return;
    }
    this.#at += 1;
    const value = this.#value(depth + 1);
    if (value !== undefined) object[key] = value;
  }
}

function unquote(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.slice(1, -1);
  }
}
