import { countsOf } from "../../../support/structures/group-by.ts";
import { porterStem } from "./porter-stem.ts";

/**
 * Returns ROUGE-1 of two texts: the F-measure of their common words, counting repetitions, from 0 to 1. Words are those of Google's ADK for
 * `response_match_score`: NFKC, lower case, and stems for ASCII words of four or more characters. In scripts without spaces, each character
 * is a word.
 */
export function rouge1(answer: string, reference: string): number {
  const given = wordsOf(answer);
  const wanted = wordsOf(reference);
  const left = countsOf(wanted);
  let shared = 0;
  for (const word of given) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  const precision = shared / Math.max(given.length, 1);
  const recall = shared / Math.max(wanted.length, 1);
  // The order of operations is that of ADK, so that rounding is the same.
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/** Matches Chinese, Japanese and Korean characters, each of which is a word. */
const ideograph = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u;
/** Matches letters of Thai, Lao, Khmer and Burmese, each of which is a word together with its combining marks. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
const combining = /\p{M}/u;
const LONGEST_UNSTEMMED = 3;

function wordsOf(text: string): readonly string[] {
  let spaced = "";
  for (const character of text.normalize("NFKC").toLowerCase()) {
    if (ideograph.test(character)) spaced += ` ${character} `;
    else if (unspaced.test(character)) spaced += combining.test(character) ? character : ` ${character}`;
    else spaced += wordCharacter.test(character) ? character : " ";
  }
  return spaced
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => (/^[a-z0-9]+$/.test(word) && word.length > LONGEST_UNSTEMMED ? porterStem(word) : word));
}
