import { isObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { isStopWord } from "./stop-words.ts";

const SENTENCE_START = /(?:^|[.!?:\n]\s*|[-*•]\s+|["“(]\s*)$/;
const CAPITALISED = /\p{Lu}[\p{L}\p{M}\p{N}_-]*/gu;
const LEAST_LETTERS = 3;

export interface Capitalised {
  readonly word: string;
  /** Whether the word starts a sentence, which may be the reason for its capital letter. */
  readonly isFirst: boolean;
}

/** Returns the capitalised words of an answer. Stop words and words of one or two letters are left out. */
export function capitalisedIn(answer: string): readonly Capitalised[] {
  return [...answer.matchAll(CAPITALISED)].flatMap(({ 0: word, index }) => {
    const before = answer.slice(Math.max(0, index - 4), index);
    if (/[\p{L}\p{N}_]$/u.test(before) || word.length < LEAST_LETTERS || isStopWord(word)) return [];
    return [{ word, isFirst: SENTENCE_START.test(before) }];
  });
}

/** Whether a word is long enough to be a name even if no evidence contains the word. */
export function isLong(word: string): boolean {
  return word.length > LEAST_LETTERS;
}

/** Returns the names in the run's answer that a tool or a retrieval returned, without repetitions. */
export function returnedNames(run: AgentRun): readonly string[] {
  const returned = new Set(returnedTexts(run).flatMap(wordsOf));
  const names = capitalisedIn(run.answer ?? "").map(({ word }) => word);
  return [...new Set(names)].filter((name) => returned.has(name));
}

/**
 * Returns the results of the run's tools and the documents of its retrievals. A structured result becomes
 * one text, with one value on each line.
 */
export function returnedTexts(run: AgentRun): readonly string[] {
  return [
    ...run.tools.map(({ result }) => textOf(result)),
    ...run.retrievals.flatMap(({ documents }) => documents.map(({ content }) => content ?? "")),
  ];
}

function textOf(value: JsonValue | undefined): string {
  const opened = typeof value === "string" ? (parseJson(value) ?? value) : value;
  return isObject(opened) || typeof opened === "object" ? leaves(opened).join("\n") : String(opened ?? "");
}

/**
 * Returns the texts and numbers in a value. Keys of objects are left out, because they come from the tool's
 * schema.
 */
export function leaves(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null || typeof value === "boolean") return [];
  if (typeof value !== "object") return [String(value)];
  return Object.values(value).flatMap((inner) => leaves(inner));
}

/**
 * Removes punctuation and symbols at both ends of a word: `$12.50` becomes 12.50, `**Anna**` becomes Anna.
 */
export function core(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]{1,8}/u, "").replace(/[^\p{L}\p{N}]{1,8}$/u, "");
}

const BETWEEN_WORDS = /[\s()[\]{}<>"'`*|“”‘’]+/;

/** Returns the words of a text, without punctuation and symbols at their ends. */
export function wordsOf(text: string): readonly string[] {
  return text
    .split(BETWEEN_WORDS)
    .map(core)
    .filter((word) => word !== "");
}
