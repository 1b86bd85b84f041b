import { fractionWordsAsDigits } from "./fraction-words.ts";

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const lowOrdinals =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );
/** Ordinal words for days of a month, with their numbers. */
const ordinals: ReadonlyMap<string, number> = new Map([
  ...lowOrdinals.map((word, at) => [word, at + 1] as const),
  ...lowOrdinals.slice(0, 9).map((word, at) => [`twenty-${word}`, at + 21] as const),
  ["thirtieth", 30],
  ["thirty-first", 31],
]);
const ORDINAL = [...ordinals.keys()].reverse().join("|");
const scales: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 100,
  thousand: 1000,
  million: 1e6,
  billion: 1e9,
};

const SMALL = small.join("|");
const ONE = `(?:(?:${tens.join("|")})(?:[- ](?:${small.slice(1, 10).join("|")}))?|${SMALL}|a)`;
const SCALE = Object.keys(scales).join("|");
/**
 * Matches an ordinal word, or a number in words with at most four parts: `two million`, `three hundred thousand` and `five` are three
 * parts.
 */
const written = new RegExp(
  String.raw`\b(?:(${ONE}(?: (?:${SCALE}))+(?:,? (?:and )?${ONE}(?: (?:${SCALE}))*){0,3})|(${ORDINAL})|${ONE})\b`,
  "gi",
);

/**
 * Replaces number words by digits: `twenty-four hours` becomes `24 hours`. A single `a` or `one` is not replaced, because it rarely states
 * a number.
 */
export function numberWordsAsDigits(text: string): string {
  if (!/[a-z]{3}/i.test(text)) return text;
  const halved = fractionWordsAsDigits(withHalves(withDictatedDigits(withPoints(withYears(text)))));
  return halved.replace(written, (whole, _long, nth: string | undefined) => {
    if (nth !== undefined) return String(ordinals.get(nth.toLowerCase().replace(" ", "-")));
    const value = /^(?:a|one)$/i.test(whole) ? undefined : valueOf(whole.toLowerCase());
    return value === undefined ? whole : String(value);
  });
}

const years = new RegExp(
  String.raw`(?<=\b(?:in|since|of|from|until|till|by|year|around|before|after|to|and) )(${small.slice(11).join("|")}|twenty) (?:(?:oh|o)[- ](${small.slice(1, 10).join("|")})|(${small.slice(10).join("|")}|(?:${tens.join("|")})(?:[- ](?:${small.slice(1, 10).join("|")}))?))(?![- ]\p{L}*(?:${tens.join("|")}|${SCALE})|\p{L})`,
  "giu",
);

/** Matches `One` as a house number: `One Canal Plaza`. */
const houses = /\bOne(?= \p{Lu}\p{Ll}+ \p{Lu})/gu;

/** Replaces years and house numbers in words: `in eighteen ninety-two` becomes `in 1892`. */
function withYears(text: string): string {
  return text
    .replace(houses, "1")
    .replace(years, (_, century: string, unit: string | undefined, rest = "") =>
      String(valueOf(century.toLowerCase()) * 100 + valueOf((unit ?? rest).toLowerCase())),
    );
}

const points = new RegExp(
  String.raw`\b(${ONE}) point (${SMALL}(?: (?:${small.slice(0, 10).join("|")}))*)\b`,
  "gi",
);

/** Replaces decimals in words: `nine point five eight` becomes `9.58`. */
function withPoints(text: string): string {
  return text.replace(points, (whole, before: string, behind: string) => {
    const decimals = behind.split(" ").map((word) => small.indexOf(word.toLowerCase()));
    return /^a$/i.test(before) ? whole : `${valueOf(before.toLowerCase())}.${decimals.join("")}`;
  });
}

const DIGIT = `(?:${small.slice(0, 10).join("|")}|oh)`;
const dictated = new RegExp(String.raw`\b${DIGIT}(?:(?:,? ${DIGIT}){3,15}|(?:-${DIGIT}){2,15})\b`, "gi");

/** Replaces words for digits, read out one by one, by their digits: `five five five, zero one four two` becomes `5550142`. */
function withDictatedDigits(text: string): string {
  return text.replace(dictated, (words) =>
    (words.match(/[a-z]+/gi) ?? []).map((word) => Math.max(0, small.indexOf(word.toLowerCase()))).join(""),
  );
}

/** Matches a number with a fraction in words: `two and a half`, `2 and a quarter`. */
const halves = new RegExp(
  String.raw`\b(\d{1,6}|(?!a )${ONE}) and (a half|a quarter|three quarters|1/2|1/4|3/4)(?![\p{L}\p{N}/])`,
  "giu",
);

function withHalves(text: string): string {
  return text.replace(halves, (_, whole: string, part: string) => {
    const number = /^\d/.test(whole) ? Number(whole) : valueOf(whole.toLowerCase());
    return String(number + (/half|1\/2/i.test(part) ? 0.5 : /three|3/i.test(part) ? 0.75 : 0.25));
  });
}

/** Pattern source for number words except a single `zero`, `one` or `a`: `two`, `half a million`, `three hundred thousand`. */
export const COUNT_WORDS = String.raw`(?:(?:(?!a )${ONE}|half an?)(?: (?:and a half|and a quarter))?(?: (?:${SCALE}))+(?: (?:and )?(?!a )${ONE}(?: (?:${SCALE}))*){0,2}|(?!a |zero|one(?! and a ))${ONE}(?: and a (?:half|quarter))?)`;

function valueOf(words: string): number {
  let total = 0;
  let part = 0;
  for (const word of words.split(/[-, ]+/)) {
    const scale = scales[word];
    if (scale === 12 || scale === 100) part = (part || 1) * scale;
    else if (scale !== undefined) {
      total += (part || 1) * scale;
      part = 0;
    } else if (word === "a") part += 1;
    else if (word !== "and")
      part += small.includes(word) ? small.indexOf(word) : (tens.indexOf(word) + 2) * 10;
  }
  return total + part;
}
