import { dateAt, type DatePart } from "./dates.ts";
import { numberCandidates, numberOf } from "./numbers.ts";

export const kinds = ["id", "number", "date", "url", "email"] as const;
export type Kind = (typeof kinds)[number];

/** A value that a text states and that should come from somewhere. */
export interface StatedValue {
  readonly kind: Kind;
  /** As it stands in the text. */
  readonly text: string;
  /** Spellings that mean the same, any of which grounds it: numbers and dates in a normal form, the rest in lower case. */
  readonly forms: readonly string[];
}

/**
 * The values of the wanted kinds in a text, each once, in order. Words are taken one by one, so the time is linear in the text.
 * Not counted: numbers of list items at the start of a line, ordinals, times of day.
 */
export function statedValues(text: string, wanted: ReadonlySet<Kind>): readonly StatedValue[] {
  const found = new Map<string, StatedValue>();
  for (const line of text.split("\n")) {
    const words = wordsOf(line.replace(LIST_MARK, ""));
    for (let at = 0; at < words.length;) {
      const date = dateAt(words, at);
      const value = date === undefined ? classify(words[at] ?? "") : dated(words, at, date);
      if (value !== undefined && wanted.has(value.kind)) {
        const key = `${value.kind} ${value.forms.join(" ")}`;
        if (!found.has(key)) found.set(key, value);
      }
      at += date?.words ?? 1;
    }
  }
  return [...found.values()];
}

const LIST_MARK = /^\s*(?:[-*•]\s+)?(?:\d{1,3}[.)]\s+)?/;
const AROUND = /[\s()[\]{}<>"'`*|“”‘’]+/;
const ENDS = new Set(".,;:!?");

/** The words of a text without the punctuation around them. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const raw of text.split(AROUND)) {
    const word = bare(raw);
    if (word !== "") words.push(word);
  }
  return words;
}

/** Without punctuation at either end; a loop, because a pattern would take quadratic time on a row of dots. */
function bare(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && ENDS.has(word.charAt(start))) start++;
  while (end > start && ENDS.has(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

function dated(words: readonly string[], at: number, date: DatePart): StatedValue {
  return { kind: "date", text: words.slice(at, at + date.words).join(" "), forms: [date.form] };
}

const URL = /^(?:https?:\/\/|www\.)\S+$/i;
const EMAIL = /^[^@\s]+@[^@\s.]+\.[^@\s]+$/;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?$/i;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;

function classify(word: string): StatedValue | undefined {
  const lower = word.toLowerCase();
  if (URL.test(word)) return { kind: "url", text: word, forms: [withoutSlash(lower)] };
  if (EMAIL.test(word)) return { kind: "email", text: word, forms: [lower] };
  if (!/\d/.test(word) || TIME.test(word) || ORDINAL.test(word)) return undefined;
  const number = numberOf(word);
  if (number !== undefined) return { kind: "number", text: word, forms: numberCandidates(number) };
  return isIdentifier(lower) ? { kind: "id", text: word, forms: identifierForms(lower) } : undefined;
}

/** `#81-a` is also 81-a, `order:81-a` as well. */
function identifierForms(word: string): readonly string[] {
  const plain = word.replace(/^#/, "");
  const last = plain.slice(plain.lastIndexOf(":") + 1);
  return last === "" || last === plain ? [plain] : [plain, last];
}

/** Letters and digits in one word of four or more, as order numbers and keys have them. */
function isIdentifier(word: string): boolean {
  return word.length >= 4 && /^#?[a-z0-9][a-z0-9._:/-]*$/.test(word) && /\d/.test(word);
}

export function withoutSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : url;
}
