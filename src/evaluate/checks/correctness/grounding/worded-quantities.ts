import { wordedShares } from "./fraction-words.ts";
import { nounKey } from "./counted-nouns.ts";
import { type ForeignNumber, foreignNumbers, koreanNumber } from "./foreign-number-words.ts";
import { COUNT_WORDS, numberWordsAsDigits } from "./number-words.ts";
import { valuesIn } from "./read-values.ts";
import type { Found } from "./reading.ts";
import { compoundUnit } from "./compound-units.ts";
import { isMoney, unitsOf } from "./units.ts";

const phrase = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:(between ${COUNT_WORDS} and |${COUNT_WORDS}(?: to | or |-| - ))?(${COUNT_WORDS}))([- ])(?:(?:business|working|calendar|full|consecutive|whole)[- ])?(\p{L}{3,20})(?![\p{L}\p{N}])`,
  "giu",
);
/**
 * Matches a definite article or possessive before a number in words. Such a number needs no evidence: `the two days` were mentioned before,
 * and the number in `your two-year warranty` is a property.
 */
const definite =
  /(?<!\p{L})(?:the|these|those|both|all|its|their|your|our|his|her|my)(?: (?:other|same|first|last))? $/iu;
const dimensions: ReadonlySet<string> = new Set(
  "time months length mass volume % points cups spoons teaspoons celsius".split(" "),
);
/** Matches `a` or `an` before a unit of time: `for an hour`, `within a week`. */
const single =
  /(?<=(?<!\p{L})(?:for|within|after|lasts?|takes?) (?:about |up to |at least )?)an? (hour|minute|day|week|month|year)(?![\p{L}\p{N}]| (?:and|or|ago|later) )/giu;
/** Matches ordinals before nouns that are usually numbered. */
const ranked =
  /(?<![\p{L}\p{N}-])(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)(?= (?:edition|generation|floor|place|anniversary|century|round|chapter|volume)(?!\p{L}))/giu;
/** Matches unit words that often have another meaning. */
const otherWords = /^(?:won|rand|real|min|ore|ton|yard|foot)$/i;
const REACH = 48;

/**
 * Returns quantities in words: `three to five business days`, `four times a day`, `drei Tage`. A number word for 0 or 1 is excluded, but
 * `within a week` is 1 week. Before a word that is not a unit, the value has `counted`, because evidence rarely states a value such as `two
 * options`. Numbers in Korean words are not parsed: their kind is null, and they have no readings.
 */
export function wordedQuantities(text: string): readonly Found[] {
  const english = [...text.matchAll(phrase)].flatMap(({ index, 0: written, 3: between, 4: word = "" }) => {
    const before = text.slice(Math.max(0, index - REACH), index);
    const behind = text.slice(index + written.length, index + written.length + REACH);
    if (between !== "-" && definite.test(before)) return [];
    const read = quantityOf(text, index, written, numberWordsAsDigits(written));
    return isMeasured(word, behind) ? read : read.map((value) => ({ ...value, counted: nounKey(word) }));
  });
  const foreign = foreignMeasures(text).flatMap(({ index, text: written, read }) =>
    quantityOf(text, index, written, read),
  );
  const unread = [...text.matchAll(koreanNumber)].map(({ index, 0: written }): Found => {
    return { kind: null, text: written, readings: [], end: index + written.length };
  });
  const shares = wordedShares(text).flatMap(({ index, text: written, digits }) =>
    quantityOf(text, index, written, digits),
  );
  const ranks = [...text.matchAll(ranked)].flatMap(({ index, 0: written }) =>
    quantityOf(text, index, written, numberWordsAsDigits(written)),
  );
  const singles = [...text.matchAll(single)].flatMap(({ index, 0: written, 1: unit = "" }) =>
    quantityOf(text, index, written, `1 ${unit}`),
  );
  return [...english, ...foreign, ...shares, ...ranks, ...singles, ...unread];
}

/** Returns the quantity in words at an index, parsed from the same text with `digits` in place of the words. */
function quantityOf(text: string, index: number, written: string, digits: string): readonly Found[] {
  const before = text.slice(Math.max(0, index - REACH), index);
  const behind = text.slice(index + written.length, index + written.length + REACH);
  for (const { end, ...value } of valuesIn(before + digits + behind)) {
    if (end <= before.length) continue;
    if (end - value.text.length < before.length || value.kind !== "number") return [];
    const reach = index + Math.max(written.length, end - before.length - digits.length + written.length);
    return [{ ...value, text: text.slice(index, reach), end: reach }];
  }
  return [];
}

/** Replaces number words of other languages before units by digits: `drei Tage` becomes `3 Tage`. */
export function foreignWordsAsDigits(text: string): string {
  let inDigits = "";
  let from = 0;
  for (const { index, text: written, read } of foreignMeasures(text)) {
    if (index < from) continue;
    inDigits += text.slice(from, index) + read;
    from = index + written.length;
  }
  return inDigits + text.slice(from);
}

function foreignMeasures(text: string): readonly ForeignNumber[] {
  return foreignNumbers(text).filter(
    ({ index, text: written, unit }) =>
      hasMeasure(unit) ||
      (isTimes.test(unit) && often.test(text.slice(index + written.length, index + written.length + REACH))),
  );
}

const isTimes = /^(?:mal|fois|veces|volte|vezes|keer)$/i;
/** Matches words after `mal`, `fois` and similar words that make a rate: `dreimal täglich`, `trois fois par jour`. */
const often =
  /^ (?:täglich|wöchentlich|monatlich|jährlich|am|pro|in der|im|die|par|al|alla|a la|por|ao|à|per|dagelijks)(?!\p{L})/iu;

function isMeasured(word: string, behind: string): boolean {
  if (/^times$/i.test(word)) return /^ (?:an?|per|each|every|daily|weekly|monthly)(?!\p{L})/iu.test(behind);
  if (otherWords.test(word)) return false;
  return hasMeasure(word);
}

function hasMeasure(word: string): boolean {
  const units = unitsOf(word) ?? unitsOf(compoundUnit(word) ?? "");
  return units?.some(({ dimension }) => dimensions.has(dimension) || isMoney(dimension)) === true;
}
