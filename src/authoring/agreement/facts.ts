import { statedValues } from "../../evaluate/checks/correctness/grounding/values.ts";
import { isTelling } from "../../evaluate/strength/stop-words.ts";
import { isObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";

/** Common facts of the answers of all runs. */
export interface CommonFacts {
  /** Values, names and quoted words, in the spelling of the first answer. */
  readonly facts: readonly string[];
  /** Other meaningful words of the answers. */
  readonly words: readonly string[];
}

const MOST_FACTS = 10;
const MOST_WORDS = 6;
const none: CommonFacts = { facts: [], words: [] };

/**
 * Returns facts in every answer: numbers, codes, addresses, names and quoted words. Words of the query are
 * used only without other facts, because an answer may omit them. For a single run, only values from tools or
 * retrievals are facts. Returns an empty result if an answer was not captured.
 */
export function commonFacts(runs: readonly AgentRun[]): CommonFacts {
  const answers = runs.flatMap(({ answer }) => (answer === null ? [] : [plainText(answer)]));
  const [first] = answers;
  if (first === undefined || answers.length < runs.length) return none;
  const evidence = runs.map(evidenceOf);
  const isReturned = (term: string): boolean => evidence.every((words) => words.has(term.toLowerCase()));
  const isAgreed = (term: string): boolean => runs.length > 1 || isReturned(term);
  const stated = inAll(answers.map(valuesIn)).filter(isAgreed);
  const quotes = inAll(answers.map(quotesIn)).filter(isAgreed);
  const writesNouns = answers.some(capitalisesNouns);
  const within = new Set(inAll(answers.map(namesWithin)));
  const names = inAll(answers.map((answer) => capitalisedIn(answer).map(({ word }) => word))).filter(
    (name) =>
      evidence.every((words) => words.has(name)) || (runs.length > 1 && !writesNouns && within.has(name)),
  );
  const asked = new Set(wordsOf(runs[0]?.query ?? "").map((word) => word.toLowerCase()));
  const all = withoutParts([...stated, ...quotes, ...names]);
  const news = all.filter((term) => !wordsOf(term).every((word) => asked.has(word.toLowerCase())));
  const facts = (news.length > 0 ? news : all).slice(0, MOST_FACTS);
  return { facts, words: runs.length > 1 ? furtherWords(answers, facts, asked) : [] };
}

/** Returns words that all answers share and that are not in the query or the facts, longest first. */
function furtherWords(
  answers: readonly string[],
  facts: readonly string[],
  asked: ReadonlySet<string>,
): readonly string[] {
  const known = facts.join(" ").toLowerCase();
  return inAll(answers.map((answer) => wordsOf(answer)))
    .map((word) => word.toLowerCase())
    .filter((word) => isTelling(word) && /^\p{L}+$/u.test(word) && !asked.has(word) && !known.includes(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS);
}

/** Returns terms that are in every list, ignoring case, in the spelling of the first list, each once. */
function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  const folded = others.map((list) => new Set(list.map((term) => term.toLowerCase())));
  const seen = new Set<string>();
  return first.filter((term) => {
    const key = term.toLowerCase();
    if (seen.has(key) || !folded.every((list) => list.has(key))) return false;
    seen.add(key);
    return true;
  });
}

/** Returns terms that are not part of an earlier or longer term. */
function withoutParts(terms: readonly string[]): readonly string[] {
  const folded = terms.map((term) => term.toLowerCase());
  return terms.filter((_, at) => {
    const own = folded[at] ?? "";
    return !folded.some(
      (other, place) => place !== at && other.includes(own) && (other.length > own.length || place < at),
    );
  });
}

/**
 * Returns the values of a structured answer, one on each line. The keys come from the schema and are left
 * out.
 */
function plainText(answer: string): string {
  const value = /^\s*[{[]/.test(answer) ? parseJson(answer) : undefined;
  return typeof value === "object" && value !== null ? leaves(value).join("\n") : answer;
}

function leaves(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null || typeof value === "boolean") return [];
  if (typeof value !== "object") return [String(value)];
  return Object.values(value).flatMap((inner) => leaves(inner));
}

const NUMERAL = /\d+(?:[.,:/-]\d+)*/g;
const LIST_MARK = /^\s*(?:[-*•]\s+)?\d{1,3}[.)]\s+/gm;

/**
 * Returns codes, addresses, dates and numbers. For a number with a unit or sign it returns only the digits,
 * whose spelling varies less.
 */
function valuesIn(answer: string): readonly string[] {
  const values = statedValues(answer, new Set(["id", "date", "url", "email"])).map(({ text }) => core(text));
  return [...values, ...(answer.replace(LIST_MARK, "").match(NUMERAL) ?? [])].filter((text) => text !== "");
}

const QUOTED = /["“„«`]([^"“”„«»`\n]{2,60})["”“»`]/g;
const MOST_QUOTED_WORDS = 5;

function quotesIn(answer: string): readonly string[] {
  return [...answer.matchAll(QUOTED)].flatMap(([, inner = ""]) => {
    const text = inner.trim().replace(/[.,;:!?]+$/, "");
    return text !== "" && text.split(/\s+/).length <= MOST_QUOTED_WORDS ? [text] : [];
  });
}

const SENTENCE_START = /(?:^|[.!?:\n]\s*|[-*•]\s+|["“(]\s*)$/;
const CAPITALISED = /\p{Lu}[\p{L}\p{M}\p{N}_-]*/gu;

interface Capitalised {
  readonly word: string;
  /** Whether the word starts a sentence, which alone explains its capital letter. */
  readonly isFirst: boolean;
}

function capitalisedIn(answer: string): readonly Capitalised[] {
  return [...answer.matchAll(CAPITALISED)].flatMap(({ 0: word, index }) => {
    const before = answer.slice(Math.max(0, index - 4), index);
    if (/[\p{L}\p{N}_]$/u.test(before) || !isTelling(word)) return [];
    return [{ word, isFirst: SENTENCE_START.test(before) }];
  });
}

/** Returns capitalised words inside sentences. */
function namesWithin(answer: string): readonly string[] {
  return capitalisedIn(answer).flatMap(({ word, isFirst }) => (isFirst ? [] : [word]));
}

/**
 * Whether many words inside sentences are capitalised, because the language capitalises nouns (German) or the
 * text is a title.
 */
function capitalisesNouns(answer: string): boolean {
  const long = wordsOf(answer).filter((word) => /^\p{L}{4,}$/u.test(word));
  return long.length > 3 && namesWithin(answer).length > long.length / 3;
}

/** Returns the words and values that tools and retrievals returned, unchanged and in lower case. */
function evidenceOf(run: AgentRun): ReadonlySet<string> {
  const texts = [
    ...run.tools.map(({ result }) => textOf(result)),
    ...run.retrievals.flatMap(({ documents }) => documents.map(({ content }) => content ?? "")),
  ];
  const words = texts.flatMap((text) => [...wordsOf(text), ...valuesIn(text)]);
  return new Set(words.flatMap((word) => [word, word.toLowerCase()]));
}

function textOf(value: JsonValue | undefined): string {
  const opened = typeof value === "string" ? (parseJson(value) ?? value) : value;
  return isObject(opened) || typeof opened === "object" ? leaves(opened).join("\n") : String(opened ?? "");
}

/** Removes signs at both ends: `$12.50` becomes 12.50, `**Anna**` becomes Anna. */
function core(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]{1,8}/u, "").replace(/[^\p{L}\p{N}]{1,8}$/u, "");
}

const BETWEEN_WORDS = /[\s()[\]{}<>"'`*|“”‘’]+/;

/** Returns the words of a text without surrounding signs. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(BETWEEN_WORDS)
    .map(core)
    .filter((word) => word !== "");
}
