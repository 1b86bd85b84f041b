import { statedValues } from "../../evaluate/checks/correctness/grounding/values.ts";
import {
  capitalisedIn,
  core,
  isLong,
  leaves,
  returnedTexts,
  wordsOf,
} from "../../evaluate/strength/names.ts";
import { isTelling } from "../../evaluate/strength/stop-words.ts";
import { occursWithWholeNumbers } from "../../evaluate/rules/whole-values.ts";
import { parseJson } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";

/** Terms that the answers of all runs have in common. */
export interface CommonFacts {
  /** Values, names and quoted words, spelt as in the first answer. */
  readonly facts: readonly string[];
  /** Up to six further words that all answers contain, longest first. */
  readonly words: readonly string[];
}

const MOST_FACTS = 10;
const MOST_WORDS = 6;
const none: CommonFacts = { facts: [], words: [] };

/**
 * Returns the terms that occur in every answer: numbers, codes, addresses, names, quoted words, and one-word
 * values of tools such as `shipped`. Words of the query are used only if there are no other terms, because an
 * answer may omit them. For a single run, only values from tools or retrievals are used. Empty if an answer
 * was not captured.
 */
export function commonFacts(runs: readonly AgentRun[]): CommonFacts {
  const answers = runs.flatMap(({ answer }) => (answer === null ? [] : [plainText(answer)]));
  const [first] = answers;
  if (first === undefined || answers.length < runs.length) return none;
  const evidence = runs.map(evidenceOf);
  const isReturned = (term: string): boolean => evidence.every((words) => words.has(term.toLowerCase()));
  const isAgreed = (term: string): boolean => runs.length > 1 || isReturned(term);
  const stated = inAll(answers.map(valuesIn)).filter(isAgreed);
  const counts = runs.length > 1 ? countsBesideCodes(answers, stated) : [];
  const quotes = inAll(answers.map(quotesIn)).filter(isAgreed);
  const writesNouns = answers.some(capitalisesNouns);
  const within = new Set(inAll(answers.map(namesWithin)));
  const names = inAll(answers.map((answer) => capitalisedIn(answer).map(({ word }) => word))).filter(
    (name) =>
      evidence.every((words) => words.has(name)) ||
      (isLong(name) && runs.length > 1 && !writesNouns && within.has(name)),
  );
  const states = runs.map(statesOf);
  const stateWords = inAll(answers.map((answer) => wordsOf(answer))).filter((word) =>
    states.every((words) => words.has(word.toLowerCase())),
  );
  const queryWords = new Set(wordsOf(runs[0]?.query ?? "").map((word) => word.toLowerCase()));
  const all = withoutParts([...stated, ...counts, ...quotes, ...names, ...stateWords]);
  const news = all.filter((term) => !wordsOf(term).every((word) => queryWords.has(word.toLowerCase())));
  const facts = (news.length > 0 ? news : all).slice(0, MOST_FACTS);
  return { facts, words: runs.length > 1 ? furtherWords(answers, facts, queryWords) : [] };
}

/**
 * Returns words that all answers have in common, longest first. Words of the query and of the facts are left
 * out.
 */
function furtherWords(
  answers: readonly string[],
  facts: readonly string[],
  queryWords: ReadonlySet<string>,
): readonly string[] {
  const known = facts.join(" ").toLowerCase();
  return inAll(answers.map((answer) => wordsOf(answer)))
    .map((word) => word.toLowerCase())
    .filter(
      (word) => isTelling(word) && /^\p{L}+$/u.test(word) && !queryWords.has(word) && !known.includes(word),
    )
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS);
}

/**
 * Returns the terms that every list contains, ignoring case, without duplicates and in the spelling of the
 * first list.
 */
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

/** Returns the terms without duplicates. A term that is part of another term is left out. */
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
 * Returns the values of a JSON answer, one per line. Keys are left out, because a schema defines them. An
 * answer that is not JSON is returned unchanged.
 */
function plainText(answer: string): string {
  const value = /^\s*[{[]/.test(answer) ? parseJson(answer) : undefined;
  return typeof value === "object" && value !== null ? leaves(value).join("\n") : answer;
}

const NUMERAL = /\d+(?:[.,:/-]\d+)*/g;
const LIST_MARK = /^\s*(?:[-*•]\s+)?\d{1,3}[.)]\s+/gm;

/**
 * Returns codes, addresses, dates and numbers, without units and signs. `200.00` is returned as `200`,
 * because `200` also occurs in `200.00`.
 */
function valuesIn(answer: string): readonly string[] {
  const values = statedValues(answer, new Set(["id", "date", "url", "email"])).map(({ text }) => core(text));
  const numbers = (answer.replace(LIST_MARK, "").match(NUMERAL) ?? []).map((text) =>
    text.replace(/[.,]00$/, ""),
  );
  return [...values, ...numbers].filter((text) => text !== "");
}

const COUNT = /(?<![\w.,:/-])(\d+) \p{L}+/gu;

/**
 * Returns numbers together with the following word, such as "2 items". The word is needed if the number alone also occurs in another value,
 * such as `INV-2`.
 */
function countsBesideCodes(answers: readonly string[], stated: readonly string[]): readonly string[] {
  const counts = answers.map((answer) => answer.match(COUNT) ?? []);
  return inAll(counts).filter((count) =>
    stated.some(
      (value) => !/^\d+$/.test(value) && occursWithWholeNumbers(value, /^\d+/.exec(count)?.[0] ?? count),
    ),
  );
}

const QUOTED = /["“„«`]([^"“”„«»`\n]{2,60})["”“»`]/g;
const MOST_QUOTED_WORDS = 5;

function quotesIn(answer: string): readonly string[] {
  return [...answer.matchAll(QUOTED)].flatMap(([, inner = ""]) => {
    const text = inner.trim().replace(/[.,;:!?]+$/, "");
    return text !== "" && text.split(/\s+/).length <= MOST_QUOTED_WORDS ? [text] : [];
  });
}

/** Returns the capitalised words of an answer that do not begin a sentence. */
function namesWithin(answer: string): readonly string[] {
  return capitalisedIn(answer).flatMap(({ word, isFirst }) => (isFirst ? [] : [word]));
}

/**
 * Whether many words in the middle of a sentence are capitalised. Either the language capitalises nouns
 * (German), or the text is a title.
 */
function capitalisesNouns(answer: string): boolean {
  const long = wordsOf(answer).filter((word) => /^\p{L}{4,}$/u.test(word));
  return long.length > 3 && namesWithin(answer).length > long.length / 3;
}

/** Returns one-word values from tools, such as the state of an order, in lower case. */
function statesOf(run: AgentRun): ReadonlySet<string> {
  const lines = returnedTexts(run).flatMap((text) => text.toLowerCase().split("\n"));
  return new Set(lines.filter((line) => /^\p{L}+$/u.test(line) && isTelling(line)));
}

/** Returns the words and values that tools and retrievals returned, both unchanged and in lower case. */
function evidenceOf(run: AgentRun): ReadonlySet<string> {
  const words = returnedTexts(run).flatMap((text) => [...wordsOf(text), ...valuesIn(text)]);
  return new Set(words.flatMap((word) => [word, word.toLowerCase()]));
}
