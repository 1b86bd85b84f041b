import { isArray, isObject, type JsonObject, type JsonValue, parseJsonText } from "../../model/json.ts";
import { compilePattern, type Pattern } from "../../model/patterns/pattern.ts";
import { type Detector, replaceDetected } from "./detectors/detectors.ts";
import { looksRandom } from "./detectors/random-looking.ts";
import { secretName } from "./detectors/secret-names.ts";
import { isPlaceholder, looksIssued } from "./detectors/secret-values.ts";
import { replaceNamed } from "./named-values.ts";
import { objectItemsOf } from "./object-items.ts";

/**
 * A text is cached if its length in characters is between `SHORTEST` and `LONGEST`. For shorter texts, computing the result is fast; longer
 * texts would fill the memory.
 */
const SHORTEST = 8;
const LONGEST = 2 ** 20;
/** Maximum total length of all cached texts in characters. */
const MOST_CHARACTERS = 8 * 2 ** 20;
const MOST_TEXTS = 2 ** 16;

/** Caches the results of `derive` for repeated texts. */
class TextMemo {
  readonly #derive: (text: string) => string;
  readonly #known = new Map<string, string>();
  #characters = 0;

  /** @param derive function whose result depends only on the text */
  constructor(derive: (text: string) => string) {
    this.#derive = derive;
  }

  has(text: string): boolean {
    return text.length >= SHORTEST && this.#known.has(text);
  }

  get(text: string): string {
    if (text.length < SHORTEST || text.length > LONGEST) return this.#derive(text);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const derived = this.#derive(text);
    // Clears the complete cache. Texts that occur again and again are soon cached again.
    if (this.#characters > MOST_CHARACTERS || this.#known.size >= MOST_TEXTS) {
      this.#known.clear();
      this.#characters = 0;
    }
    this.#characters += text.length + (derived === text ? 0 : derived.length);
    const own = ownCopy(text);
    this.#known.set(own, derived === text ? own : derived);
    return derived;
  }
}

/**
 * Maximum length in characters of a word that is searched for secrets. White space, quotation marks, `<`, `>`, commas and semicolons end a
 * word.
 */
const LONGEST_WORD = 2 ** 20;

/** For each ASCII code, whether the character ends a word. */
const separators: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  " \t\n\r\f\v\"'`<>,;".includes(String.fromCharCode(code)),
);

export interface RedactionSettings {
  /**
   * Patterns of attribute keys and JSON keys whose values are removed completely. `*` matches any text. Case
   * is ignored.
   */
  readonly keys: readonly string[];
  readonly patterns: readonly { readonly pattern: string; readonly replacement: string }[];
  readonly detectors: readonly Detector[];
}

export const nothingRedacted: RedactionSettings = { keys: [], patterns: [], detectors: [] };

export const withheld = "[redacted]";
/** Keys of JSON Schemas. An object with one of these keys describes a value, and does not contain one. */
const schemaWords = ["type", "anyOf", "oneOf", "allOf", "$ref", "enum", "description"] as const;
/** Minimum length in characters of a JSON array that is redacted item by item. */
const LONG = 4096;
/** Maximum nesting. Values nested deeper are removed completely. */
const DEEPEST = 100;
/** Limits only the nesting, and not the number of values: the text is never larger than its attribute or message. */
const readableBounds = { levels: DEEPEST, nodes: Infinity };

/** Removes sensitive data from texts and values. Equal input gives equal output. */
export class Redactor {
  readonly settings: RedactionSettings;
  readonly #keys: readonly string[];
  readonly #patterns: readonly { readonly pattern: Pattern; readonly words: string }[];
  readonly #detectors: readonly Detector[];
  readonly #findsKeys: boolean;
  readonly #knownKeys = new Map<string, boolean>();
  /** Cache of redacted texts, because each model call repeats the messages of earlier calls. */
  readonly #memo = new TextMemo((text) => this.#redacted(text));

  /** @throws Error if a pattern cannot be compiled */
  constructor(settings: RedactionSettings) {
    this.settings = settings;
    this.#keys = settings.keys.map((one) => one.toLowerCase());
    this.#detectors = settings.detectors;
    this.#findsKeys = settings.detectors.includes("keys");
    this.#patterns = settings.patterns.map(({ pattern, replacement }) => {
      const compiled = compilePattern(pattern, { language: "javascript" });
      if (!compiled.ok) throw new Error(`redact.patterns: ${pattern}: ${compiled.problem.message}`);
      return { pattern: compiled.pattern, words: replacement };
    });
  }

  /**
   * Redacts a text that a person or a model wrote. If it is JSON, each text and each key in it is redacted, and the values of sensitive
   * keys are removed.
   */
  text(text: string): string {
    return this.#items(text) ?? this.#memo.get(text);
  }

  /**
   * Redacts the items of a JSON array one by one, so that repeated items are cached; null for any other text.
   */
  #items(text: string): string | null {
    if (text.length < LONG || !/^\s*\[/.test(text)) return null;
    const items = objectItemsOf(text);
    if (items === null || items.length === 1) return null;
    const clean: string[] = [];
    for (const item of items) {
      if (!this.#memo.has(item) && parseJsonText(item, readableBounds).problem !== undefined) return null;
      clean.push(this.#memo.get(item));
    }
    return clean.every((item, at) => item === items[at]) ? text : `[${clean.join(",")}]`;
  }

  #redacted(text: string): string {
    if ((this.#keys.length > 0 || this.#findsKeys) && /^\s*[{[]/.test(text)) {
      const parsed = parseJsonText(text, readableBounds);
      if (parsed.problem === "depth") return withheld;
      if (parsed.problem === undefined) {
        const clean = this.json(parsed.value);
        // The text is redacted as plain text, too, because a pattern can match a key with its value. If nothing changed, the original text is
        // used: if an object has a key twice, the parser returns only the last value, and the earlier value may be a secret.
        if (clean !== parsed.value) return this.#plainOrWithheld(JSON.stringify(clean));
      }
    }
    return this.#plainOrWithheld(text);
  }

  #plainOrWithheld(text: string): string {
    try {
      return this.#plain(text);
    } catch (error) {
      // A single word of several MiB can exceed the stack of the regular expression engine. The text cannot be checked, so it is removed.
      if (error instanceof RangeError) return withheld;
      throw error;
    }
  }

  #plain(text: string): string {
    const named = this.#keys.length === 0 ? text : replaceNamed(text, withheld, (key) => this.#hidesKey(key));
    let clean = replaceDetected(withholdLongWords(named, withheld), this.#detectors);
    for (const { pattern, words } of this.#patterns) clean = pattern.replaceAll(clean, words);
    return clean;
  }

  /** Whether the value of this key must be removed completely. */
  hides(key: string, value: JsonValue): boolean {
    if (this.#findsKeys && isCredential(key, value)) return true;
    return this.#keys.length > 0 && this.#hidesKey(key);
  }

  /** Whether an item of a list must be removed completely, because the item before it names it, such as `--password` or `X-Api-Key`. */
  hidesItem(before: JsonValue | undefined, item: JsonValue): boolean {
    if (typeof before !== "string" || typeof item !== "string" || item === "") return false;
    const option = /^--?([a-z][\w-]{1,40})$/i.exec(before)?.[1];
    if (option !== undefined && !item.startsWith("-") && !isPlaceholder(item))
      return this.hides(option, item);
    return (
      this.#findsKeys && /^[\w.-]{2,80}$/.test(before) && secretName(before) !== null && looksRandom(item)
    );
  }

  #hidesKey(key: string): boolean {
    let hidden = this.#knownKeys.get(key);
    if (hidden === undefined) {
      const folded = key.toLowerCase();
      hidden = this.#keys.some((glob) => fitsGlob(folded, glob));
      // Senders choose the keys, so the cache must be limited.
      if (this.#knownKeys.size >= 4096) this.#knownKeys.clear();
      this.#knownKeys.set(key, hidden);
    }
    return hidden;
  }

  /** Redacts a value of an attribute, argument or message. Returns the same object if nothing is redacted. */
  json(value: JsonValue, depth = 0): JsonValue {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return withheld;
    if (isArray(value)) {
      const items = value.map((one, at) =>
        this.hidesItem(value[at - 1], one) ? withheld : this.json(one, depth + 1),
      );
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    return this.#object(value, depth);
  }

  #object(value: JsonObject, depth: number): JsonObject {
    const label = labelOf(value);
    let changed = false;
    const entries = Object.entries(value).map(([key, child]) => {
      const name = this.text(key);
      const hidden =
        this.hides(key, child) || (label !== null && valueKeys.includes(key) && this.hides(label, child));
      const clean = hidden ? withheld : this.json(child, depth + 1);
      changed ||= name !== key || clean !== child;
      return [name, clean] as const;
    });
    return changed ? Object.fromEntries(entries) : value;
  }

  /** Redacts an integer of 13 or more digits if a detector or pattern matches its digits, for example as a card number. */
  #number(value: number): JsonValue {
    if (!Number.isSafeInteger(value) || value < 1e12) return value;
    const text = String(value);
    const clean = this.text(text);
    return clean === text ? value : clean;
  }
}

/** Keys of the value in a record that has a name and a value. */
export const valueKeys: readonly string[] = ["value", "Value"];

/** Returns the name in a record that has a name and a value, such as `{"name": "password", "value": "…"}`. Null for other records. */
export function labelOf(record: JsonObject): string | null {
  const label = record["key"] ?? record["name"] ?? record["Key"] ?? record["Name"];
  return typeof label === "string" && isValueOf(record) ? label : null;
}

function isValueOf(record: JsonObject): boolean {
  return valueKeys.some((key) => record[key] !== undefined);
}

/** Whether a key denotes a credential, and its value can be one. For example, a JSON Schema or a count cannot be a credential. */
function isCredential(key: string, value: JsonValue): boolean {
  if (typeof value === "boolean" || value === null || value === "") return false;
  const name = secretName(key);
  if (name === null) return false;
  if (typeof value === "string") {
    if (name === "certain") return true;
    return name === "service" ? looksIssued(value) : looksRandom(value);
  }
  if (name !== "certain" || /token|cookie/i.test(key)) return false;
  if (typeof value === "number") return true;
  return isArray(value)
    ? value.some((item) => typeof item === "string")
    : isObject(value) && !schemaWords.some((word) => value[word] !== undefined);
}

/**
 * Whether a text matches a pattern in which `*` matches any text. The time is linear in the length of the
 * text.
 */
export function fitsGlob(text: string, glob: string): boolean {
  const [first = "", ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return text === glob;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * Replaces words of more than 1 MiB, such as files in base64. Searching such a word for secrets takes seconds, or exceeds the stack of the
 * regular expression engine.
 */
function withholdLongWords(text: string, replacement: string): string {
  if (text.length <= LONGEST_WORD) return text;
  let clean = "";
  let done = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    // A character above ASCII also ends a word.
    if (separators[code] === false) continue;
    if (at - start > LONGEST_WORD) {
      clean += text.slice(done, start) + replacement;
      done = at;
    }
    start = at + 1;
  }
  return clean + text.slice(done);
}

/**
 * Returns a copy of a text. A substring would retain the long text from which it was taken in memory, because V8's substrings reference the
 * original text.
 */
function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
