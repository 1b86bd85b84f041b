import { isArray, isObject, type JsonValue, parseJson } from "../../../src/model/json.ts";
import type { Json } from "./recordings.ts";
import type { Contents } from "./truth.ts";

/** Words that can have a meaning for the reader of telemetry; they are never changed. */
const meaningful =
  "assistant system user tool function model error failed exception success null none true false string text stop content input output undefined".split(
    " ",
  );

/** A word matches only if it is not a part of an identifier, a host name or an escape sequence. */
const begin = "(?:(?<![\\p{L}\\p{N}_.-])|(?<=\\\\[nrt]))";
const end = "(?![\\p{L}\\p{N}_-])";
const candidates = new RegExp(`${begin}[A-Za-z]{4,}${end}`, "gu");
const WORDS_A_TEXT = 2;

/**
 * Returns a pattern for words from the texts of the runs; null if there are none. The words are from each query, answer, argument and
 * result, two per text if possible. A word that is also a part of a key or name in the telemetry is not used.
 */
export function ownWords(contents: readonly Contents[], documents: readonly Json[]): RegExp | null {
  const taken = new Set(meaningful);
  for (const document of documents) addNames(document, taken);
  const chosen = new Set<string>();
  const texts = contents.flatMap(({ query, answer, tools }) => [
    ...textsIn(query),
    ...textsIn(answer),
    ...tools.flatMap((tool) => [...textsIn(tool.arguments), ...textsIn(tool.result)]),
  ]);
  for (const text of texts) {
    const words = [...new Set(text.match(candidates))].filter((word) => !taken.has(word.toLowerCase()));
    const has = words.filter((word) => chosen.has(word)).length;
    const longest = words.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    for (const word of longest.slice(0, Math.max(0, WORDS_A_TEXT - has))) chosen.add(word);
  }
  return chosen.size === 0 ? null : new RegExp(`${begin}(?:${[...chosen].join("|")})${end}`, "gu");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const parsed = parseJson(value);
    return typeof parsed === "object" && parsed !== null ? textsIn(parsed) : [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Adds the words of all keys, and of the values of `key` and `name`; also in JSON within strings. */
function addNames(value: unknown, names: Set<string>): void {
  const addWords = (text: string): void => {
    for (const word of text.match(/[A-Za-z]+/g) ?? []) names.add(word.toLowerCase());
  };
  const visit = (inner: JsonValue): void => {
    if (isArray(inner)) inner.forEach(visit);
    else if (isObject(inner)) {
      for (const [key, below] of Object.entries(inner)) {
        addWords(key);
        if ((key === "key" || key === "name") && typeof below === "string") addWords(below);
        visit(below);
      }
    } else if (typeof inner === "string" && /^\s*[[{]/.test(inner)) visit(parseJson(inner) ?? null);
  };
  visit(value as JsonValue);
}
