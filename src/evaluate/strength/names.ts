import { isObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import { isStopWord } from "./stop-words.ts";

const SENTENCE_START = /(?:^|[.!?:\n]\s*|[-*•]\s+|["“(]\s*)$/;
const CAPITALISED = /\p{Lu}[\p{L}\p{M}\p{N}_-]*/gu;
const LEAST_LETTERS = 3;

export interface Capitalised {
  readonly word: string;
  /** Whether the word starts a sentence, which alone explains its capital letter. */
  readonly isFirst: boolean;
}

/** Returns the capitalised words of an answer, without stop words and words of one or two letters. */
export function capitalisedIn(answer: string): readonly Capitalised[] {
  return [...answer.matchAll(CAPITALISED)].flatMap(({ 0: word, index }) => {
    const before = answer.slice(Math.max(0, index - 4), index);
    if (/[\p{L}\p{N}_]$/u.test(before) || word.length < LEAST_LETTERS || isStopWord(word)) return [];
    return [{ word, isFirst: SENTENCE_START.test(before) }];
  });
}

/** Whether a word is long enough to be a name where no evidence contains the word. */
export function isLong(word: string): boolean {
  return word.length > LEAST_LETTERS;
}

/** Returns the names in the run's answer that a tool or a retrieval returned, each once. */
export function returnedNames(run: AgentRun): readonly string[] {
  const returned = new Set(returnedTexts(run).flatMap(wordsOf));
  const names = capitalisedIn(run.answer ?? "").map(({ word }) => word);
  return [...new Set(names)].filter((name) => returned.has(name));
}

/** Returns the results of the run's tools and the documents of its retrievals. A structured result is one text, one value on each line. */
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

/** Returns the texts and numbers in a value. The keys come from the schema and are left out. */
export function leaves(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null || typeof value === "boolean") return [];
  if (typeof value !== "object") return [String(value)];
  return Object.values(value).flatMap((inner) => leaves(inner));
}

/** Removes signs at both ends: `$12.50` becomes 12.50, `**Anna**` becomes Anna. */
export function core(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]{1,8}/u, "").replace(/[^\p{L}\p{N}]{1,8}$/u, "");
}

const BETWEEN_WORDS = /[\s()[\]{}<>"'`*|“”‘’]+/;

/** Returns the words of a text without surrounding signs. */
export function wordsOf(text: string): readonly string[] {
  return text
    .split(BETWEEN_WORDS)
    .map(core)
    .filter((word) => word !== "");
}
