import { isObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { isStopWord } from "./stop-words.ts";

const SENTENCE_START = /(?:^|[.!?:\n]\s*|[-*•]\s+|["“(]\s*)$/;
const CAPITALISED = /\p{Lu}[\p{L}\p{M}\p{N}_-]*/gu;
const LEAST_LETTERS = 3;

export interface Capitalised {
  readonly word: string;
  /** True if the word starts a sentence, so that its capital letter may not mean a name. */
  readonly isFirst: boolean;
}

/** Returns the capitalised words of three or more letters in an answer, without stop words. */
export function capitalisedIn(answer: string): readonly Capitalised[] {
  return [...answer.matchAll(CAPITALISED)].flatMap(({ 0: word, index }) => {
    const before = answer.slice(Math.max(0, index - 4), index);
    if (/[\p{L}\p{N}_]$/u.test(before) || word.length < LEAST_LETTERS || isStopWord(word)) return [];
    return [{ word, isFirst: SENTENCE_START.test(before) }];
  });
}

/** Whether a word has more than three letters. A shorter word counts as a name only if tools or retrievals returned it. */
export function isLong(word: string): boolean {
  return word.length > LEAST_LETTERS;
}

/** Returns the names in the answer that a tool or retrieval returned, each once. */
export function returnedNames(run: AgentRun): readonly string[] {
  const returned = new Set(returnedTexts(run).flatMap(wordsOf));
  const names = capitalisedIn(run.answer ?? "").map(({ word }) => word);
  return [...new Set(names)].filter((name) => returned.has(name));
}

/** Returns the results of tools and the documents of retrievals. A structured result becomes a text with one value on each line. */
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

/** Returns the texts and numbers in a value, without keys of objects, which come from the tool's schema. */
export function leaves(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null || typeof value === "boolean") return [];
  if (typeof value !== "object") return [String(value)];
  return Object.values(value).flatMap((inner) => leaves(inner));
}

/** Removes up to eight punctuation marks and symbols at each end of a word: `12.50` for `$12.50`, `Anna` for `**Anna**`. */
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
