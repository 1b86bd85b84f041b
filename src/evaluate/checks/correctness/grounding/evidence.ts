import { isArray, isObject, type JsonValue } from "../../../../model/json.ts";
import { dateAt } from "./dates.ts";
import { numbersIn } from "./numbers.ts";
import { type StatedValue, withoutSlash, wordsOf } from "./values.ts";

/** The text that can ground an answer: query, tool results and retrievals. Text can be added during iteration. */
export class Evidence {
  readonly #words = new Set<string>();
  readonly #numbers = new Set<string>();
  readonly #dates = new Set<string>();
  /** Days of the year of the dates that were told with their year. */
  readonly #days = new Set<string>();

  add(value: JsonValue | undefined): void {
    if (value === undefined || value === null) return;
    const texts: string[] = [];
    collect(value, texts);
    for (const text of texts) this.#read(text.toLowerCase());
  }

  /** Whether any spelling of the value occurs. */
  grounds(value: StatedValue): boolean {
    switch (value.kind) {
      case "number":
        return value.forms.some((form) => this.#numbers.has(form));
      case "date":
        return value.forms.some((form) => this.#hasDate(form));
      case "id":
      case "url":
      case "email":
        return value.forms.some((form) => this.#words.has(form));
    }
  }

  /** A date told without its year grounds one stated with it, and the other way round; two different years do not. */
  #hasDate(form: string): boolean {
    return this.#dates.has(form) || this.#dates.has(dayOf(form)) || this.#days.has(form);
  }

  #read(text: string): void {
    for (const number of numbersIn(text)) this.#numbers.add(number);
    const words = wordsOf(text);
    for (let at = 0; at < words.length; at++) {
      this.#addWord(words[at] ?? "");
      const form = dateAt(words, at)?.form;
      if (form === undefined) continue;
      this.#dates.add(form);
      if (dayOf(form) !== form) this.#days.add(dayOf(form));
    }
  }

  /** A word, and what stands in it between the marks of paths, links and pairs. */
  #addWord(word: string): void {
    this.#words.add(withoutSlash(word));
    for (const part of word.split(/[:=/?&#,;]+/)) this.#words.add(part);
    for (const part of word.split(/[^\p{L}\p{N}_-]+/u)) this.#words.add(part);
  }
}

/** `2025-03-09` → `--03-09`. */
function dayOf(form: string): string {
  return form.replace(/^\d+/, "-");
}

function collect(value: JsonValue, into: string[]): void {
  if (isArray(value)) for (const item of value) collect(item, into);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      into.push(key);
      collect(item, into);
    }
  } else into.push(String(value));
}
