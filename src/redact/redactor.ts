import { type JsonValue, parseJson } from "../model/json.ts";
import { compilePattern, type Pattern } from "../model/pattern.ts";
import { type Detector, replaceDetected } from "./detectors.ts";
import { fitsGlob } from "./glob.ts";

export interface RedactionSettings {
  /** Attributes and keys in JSON whose values are taken out as a whole; `*` stands for anything, case does not matter. */
  readonly keys: readonly string[];
  readonly patterns: readonly { readonly pattern: string; readonly replacement: string }[];
  readonly detectors: readonly Detector[];
}

export const nothingRedacted: RedactionSettings = { keys: [], patterns: [], detectors: [] };

export const withheld = "[redacted]";
/** Keys whose texts are credentials, wherever they stand. */
const secretName =
  /(?:^|[._-])(?:pass(?:word|wd|phrase)?|secret|authorization|api[_-]?key|access[_-]?key|(?:access|auth|refresh|id|bearer|session)?[_-]?token)$/i;
/** Values nested deeper than this are taken out as a whole. */
const DEEPEST = 100;

/** Takes out of texts and values what must not be seen. The same input gives the same output. */
export class Redactor {
  readonly #keys: readonly string[];
  readonly #patterns: readonly { readonly pattern: Pattern; readonly words: string }[];
  readonly #detectors: readonly Detector[];
  readonly #findsKeys: boolean;
  readonly #knownKeys = new Map<string, boolean>();

  /** @throws Error when a pattern cannot be compiled */
  constructor(settings: RedactionSettings) {
    this.#keys = settings.keys.map((one) => one.toLowerCase());
    this.#detectors = settings.detectors;
    this.#findsKeys = settings.detectors.includes("keys");
    this.#patterns = settings.patterns.map(({ pattern, replacement }) => {
      const compiled = compilePattern(pattern, { language: "javascript" });
      if (!compiled.ok) throw new Error(`redact.patterns: ${pattern}: ${compiled.problem.message}`);
      return { pattern: compiled.pattern, words: replacement };
    });
  }

  /** Text as a person or a model wrote it. Where it holds JSON, keys in that count as well. */
  text(text: string): string {
    if ((this.#keys.length > 0 || this.#findsKeys) && /^\s*[{[]/.test(text)) {
      const parsed = parseJson(text);
      if (parsed !== undefined && typeof parsed === "object" && parsed !== null) {
        return JSON.stringify(this.json(parsed));
      }
    }
    let clean = replaceDetected(text, this.#detectors);
    for (const { pattern, words } of this.#patterns) clean = pattern.replaceAll(clean, words);
    return clean;
  }

  /** Whether the value under this key is taken out as a whole. */
  hides(key: string, value: JsonValue): boolean {
    if (this.#findsKeys && typeof value === "string" && secretName.test(key)) return true;
    if (this.#keys.length === 0) return false;
    let hidden = this.#knownKeys.get(key);
    if (hidden === undefined) {
      const folded = key.toLowerCase();
      hidden = this.#keys.some((glob) => fitsGlob(folded, glob));
      // Strangers choose the keys: the table is emptied rather than let grow.
      if (this.#knownKeys.size >= 4096) this.#knownKeys.clear();
      this.#knownKeys.set(key, hidden);
    }
    return hidden;
  }

  /** A value as it stands in an attribute, an argument, a message. */
  json(value: JsonValue, depth = 0): JsonValue {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return withheld;
    if (Array.isArray(value)) return value.map((one) => this.json(one, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        this.text(key),
        this.hides(key, child) ? withheld : this.json(child, depth + 1),
      ]),
    );
  }

  /** A card's number may have been sent as a number. */
  #number(value: number): JsonValue {
    if (!Number.isSafeInteger(value) || value < 1e12) return value;
    const text = String(value);
    const clean = this.text(text);
    return clean === text ? value : clean;
  }
}
