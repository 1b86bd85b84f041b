import { type Decimal, decimal, powerOfTen, times } from "./decimal.ts";
import { currencyOf, currencyPattern, type Unit, unitsOf } from "./units.ts";
import { compoundUnit, isUnitStart, longUnits, speeds } from "./compound-units.ts";
import { perOf } from "./rates.ts";
import { byWord, match } from "./sticky.ts";
import { wordList } from "../../../../support/structures/word-list.ts";

const scales: ReadonlyMap<string, Decimal> = byWord([
  [powerOfTen(3), "k K thousand thousands tausend tsd mil mille mila duizend тыс тысяч тысячи 千"],
  [powerOfTen(5), "lakh lakhs"],
  [
    powerOfTen(6),
    "M m mn mio mln million millions mill millionen millón millones milhão milhões milione milioni miljoen млн миллион миллиона миллионов",
  ],
  [powerOfTen(7), "crore crores"],
  [
    powerOfTen(9),
    "B b bn bln mrd billion billions milliarde milliarden milliard milliards miliardo miliardi miljard млрд миллиард миллиарда миллиардов Md Mds",
  ],
  [powerOfTen(12), "T tn trillion trillions billionen billones 兆"],
  [powerOfTen(4), "万 萬"],
  [powerOfTen(8), "億 亿"],
  [powerOfTen(2), "hundred"],
]);
const dozens: ReadonlySet<string> = new Set(
  wordList("dozen dozens dutzend douzaine douzaines docena docenas"),
);
const twelve = decimal("12");

const currencyBehind = new RegExp(String.raw` ?(${currencyPattern})(?![\p{L}\d])`, "uy");
/** Matches the first character of a scale or unit directly after a number, or after a space or hyphen. */
const wordBehind = /[ -]?[\p{L}%‰°\p{Sc}'"]/uy;
const degrees = / ?°/uy;
const attachedLetters = /[\p{L}]{1,20}(?:\^?[23])?(?![\p{L}\p{N}_])|[%‰°](?![\p{L}\p{N}])/uy;
const spacedWord = /[ -]([%‰]|°|(?!p\.)[\p{L}]{1,20}(?:\^[23]|[23](?!\d))?)(?![\p{L}\p{N}_])/uy;
/** Matches ` in` as inches. A punctuation mark or a word such as `tall` must follow. */
const spacedInches = / in(?= ?(?:[x*,.;:)"]|$)| (?:tall|wide|long|high|deep|thick|by)(?!\p{L}))/uy;
const tonal = /(?:,-|\.-)(?![\p{L}\d])/uy;
/** Matches the word between a scale and a unit: `millones de pesos`, `millions d'euros`. */
const genitive = / d(?:e|i|o|os) |(?<=\p{L}) d'/iuy;
/**
 * Matches a denominator: `/kg`, `per hour`, `/100 km`, `per square metre`. Words such as `an` and `al` mark a denominator only before a
 * unit of time.
 */
const perWord =
  /(?: (?:brutto|netto|gross|net|bruto|neto|brut|lordi|netti))? ?\/ ?(\d{1,5}(?:\.\d{1,3})?)? ?(\p{L}{1,20}(?:\^?[23])?)(?![\p{L}\p{N}])|(?: (?:brutto|netto|gross|net|bruto|neto|brut|lordi|netti))? (?:per|pro|por|par|each|every|an?|al|alla|im|je|am|cada|chaque|jede[nmrs]?|alle|toutes les|tous les) (?:(\d{1,5}) )?((?:square |cubic )?\p{L}{1,20}(?:\^[23])?)(?![\p{L}\p{N}])| all'(?=anno)()(\p{L}{4})/iuy;
const alwaysPer = / (?:per|pro) /i;
const adverb = / (\p{L}{5,12}|p\. ?a\.)(?![\p{L}\p{N}])/iuy;
const adverbs: ReadonlyMap<string, string> = byWord([
  ["hour", "hourly stündlich"],
  ["day", "daily täglich diario diarios diarias giornaliero"],
  ["week", "weekly wöchentlich semanal semanales hebdomadaire settimanale"],
  ["month", "monthly monatlich mensuel mensuels mensuelle mensual mensuales mensile mensili mensal mensais"],
  [
    "year",
    "yearly annually annual p.a. jährlich annuel annuels annuelle anual anuales anuais annuo annui annuale",
  ],
]);

interface UnitMeaning {
  readonly scale?: Decimal;
  readonly units: readonly Unit[] | null;
  readonly letterUnits?: readonly Unit[];
  readonly isDoubtful?: boolean;
}

interface Behind {
  readonly end: number;
  /** Denominator that is part of the unit's word, as in `mph`. */
  readonly per?: string;
  readonly meanings: readonly UnitMeaning[];
}

/**
 * Returns the scale and unit after a number. If a currency precedes the number, the currency is the unit, and letters such as `m` are a
 * scale.
 */
export function unitBehind(text: string, at: number, currency: readonly Unit[] | undefined): Behind {
  if (currency !== undefined) {
    const scaled = scaleBehind(text, at, true);
    const dash = scaled === undefined ? match(tonal, text, at) : null;
    const { end, units } = codeBehind(text, scaled?.end ?? at + (dash?.[0].length ?? 0), currency);
    return { end, meanings: [scaled === undefined ? { units } : { scale: scaled.scale, units }] };
  }
  if (match(wordBehind, text, at) === null) return { end: at, meanings: [{ units: null }] };
  const scaled = scaleBehind(text, at, false);
  const plain = plainUnit(text, at);
  if (scaled === undefined) return plain ?? { end: at, meanings: [{ units: null }] };
  const unit = unitOfGenitive(text, scaled.end) ?? plainUnit(text, scaled.end);
  const meaning: UnitMeaning = { scale: scaled.scale, units: unit?.meanings[0]?.units ?? null };
  // `5m` and `5 t` can be metres and tonnes, or millions and trillions.
  const both = plain !== undefined && plain.end === scaled.end ? plain.meanings : [];
  // `512M` can be 512 MB.
  const letter = scaled.end === at + 1 && unit === undefined ? text.charAt(at) : "";
  const data: readonly UnitMeaning[] = /[KMT]/.test(letter)
    ? [{ units: unitsOf(`${letter}B`) ?? null, isDoubtful: true }]
    : [];
  return { end: unit?.end ?? scaled.end, meanings: [meaning, ...both, ...data] };
}

function unitOfGenitive(text: string, at: number): Behind | undefined {
  const particle = match(genitive, text, at)?.[0];
  if (particle === undefined) return undefined;
  const isSpaced = particle.endsWith(" ");
  return plainUnit(text, at + particle.length - (isSpaced ? 1 : 0));
}

const notedCode = / \(([A-Z]{3})\)/uy;

/** Returns the currency code after an amount with a currency sign. In `$50 MXN`, the code states which dollar or peso `$` is. */
function codeBehind(
  text: string,
  at: number,
  currency: readonly Unit[],
): { readonly end: number; readonly units: readonly Unit[] } {
  const found = match(spacedWord, text, at);
  const word = found?.[1] ?? "";
  const noted = match(notedCode, text, at);
  const code = currencyOf(noted?.[1] ?? (/^[A-Z]{3}$/.test(word) ? word : ""));
  if (code === undefined) return { end: at, units: currency };
  const same = currency.filter((one) => code.some(({ dimension }) => dimension === one.dimension));
  const length = (noted ?? found)?.[0].length ?? 0;
  return { end: at + length, units: same.length === 0 ? currency : same };
}

const scaleLetters = /[\p{L}]{1,12}(?![\^\d])\.?/uy;
const scaleWord = /[ -]([\p{L}]{1,12})(?![\p{L}\p{N}])(\.(?= ?[\p{L}\p{Sc}]))?/uy;
/** Matches a one-letter scale directly before a unit: `5kEUR`, `250 TEUR`, `500万円`. */
const scaleAndUnit = / ?(?:([kKTM])(?=[A-Z]{3}(?![\p{L}\p{N}]))|(\p{Script=Han})(?=\p{L}))/uy;

interface Scaled {
  readonly end: number;
  readonly scale: Decimal;
}

/** Returns one scale, or the product of two scales: `mil millones`, `hundred thousand`. */
function scaleBehind(text: string, at: number, hasCurrency: boolean): Scaled | undefined {
  const first = oneScale(text, at, hasCurrency);
  const second = first !== undefined && first.end - at > 2 ? oneScale(text, first.end, false) : undefined;
  return first === undefined || second === undefined
    ? first
    : { end: second.end, scale: times(first.scale, second.scale) };
}

function oneScale(text: string, at: number, hasCurrency: boolean): Scaled | undefined {
  const joined = match(scaleAndUnit, text, at);
  if (joined !== null) {
    const end = at + joined[0].length;
    const [, thousand, han = ""] = joined;
    const scale = scaleOf(thousand === "T" ? "k" : (thousand ?? han));
    const unit = match(scaleLetters, text, end)?.[0].replace(/\.$/, "") ?? "";
    const isUnit = thousand === undefined ? unitsOf(unit) !== undefined : currencyOf(unit) !== undefined;
    if (scale !== undefined && isUnit) return { end, scale };
  }
  const letters = match(scaleLetters, text, at);
  if (letters !== null) {
    const word = letters[0].replace(/\.$/, "");
    const scale = scaleOf(word);
    return scale === undefined ? undefined : { end: at + word.length, scale };
  }
  const spaced = match(scaleWord, text, at);
  const word = spaced?.[1] ?? "";
  // In `3 M€`, the single letter `M` is a scale, because a currency sign follows.
  const isScale =
    word.length > 1 || hasCurrency || /\p{Sc}/u.test(text.charAt(at + (spaced?.[0].length ?? 0)));
  const scale = isScale ? scaleOf(word) : undefined;
  return spaced === null || scale === undefined ? undefined : { end: at + spaced[0].length, scale };
}

const nextIsSign = /^ ?(?:\p{Sc}|[A-Z]{1,2}\$|°)|^['"]/u;
/** Matches the marks of feet and inches: `5'11"`. */
const feetOrInches = /'(?!')(?![\p{L}])|(?:"|'')(?![\p{L}\p{N}])/uy;
/** Possible units of `'` (feet, minutes) and `"` (inches, seconds). */
const [primes, doublePrimes] = [
  ["ft", "min"],
  ["inch", "s"],
].map((words) => words.flatMap((word) => unitsOf(word) ?? []));
const marks: Readonly<Record<string, readonly Unit[] | undefined>> = {
  "'": primes,
  '"': doublePrimes,
  "''": doublePrimes,
};
const LONGEST_QUOTATION = 40;

/** Whether the mark after a number closes a quotation: `'6'`, `"size 27"`. */
function closesQuotation(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_QUOTATION), at);
  return text[at] === "'" ? /'[\d.,]{1,12}$/.test(before) : /(?:^|[^\d'])"[^\s"][^"\n]*$/.test(before);
}

const spanishAnd = /^ y \d+(?! ?(?:mo?|mos|months?|w|d|days?)(?!\p{L})|\d)/u;

/** Matches a word between a number and a unit of time: `2 business days`. */
const kindOfUnit = /[ -](?:business|working|calendar|full|consecutive|whole)(?=[ -]\p{L})/iuy;

function plainUnit(text: string, behind: number): Behind | undefined {
  const at = behind + (match(kindOfUnit, text, behind)?.[0].length ?? 0);
  const word = match(attachedLetters, text, at)?.[0] ?? match(spacedWord, text, at)?.[1] ?? "";
  if (!isUnitStart(word) && !nextIsSign.test(text.slice(at, at + 4))) return undefined;
  for (const [pattern, word, per] of speeds) {
    const found = match(pattern, text, at);
    if (found !== null)
      return { end: at + found[0].length, meanings: [{ units: unitsOf(word) ?? null }], per: perOf(per) };
  }
  for (const [pattern, word] of longUnits) {
    const found = match(pattern, text, at);
    if (found !== null) return { end: at + found[0].length, meanings: [{ units: unitsOf(word) ?? null }] };
  }
  const sign = match(currencyBehind, text, at);
  if (sign !== null)
    return { end: at + sign[0].length, meanings: [{ units: currencyOf(sign[1] ?? "") ?? null }] };
  const mark = match(feetOrInches, text, at)?.[0];
  if (mark !== undefined && !closesQuotation(text, at))
    return { end: at + mark.length, meanings: [{ units: marks[mark] ?? null }] };
  const degree = match(degrees, text, at);
  if (degree !== null) return { end: at + degree[0].length, meanings: [{ units: unitsOf("°") ?? null }] };
  const attached = match(attachedLetters, text, at);
  if (attached !== null) {
    const [word] = attached;
    const units = word === "in" ? unitsOf("inch") : unitsOf(word);
    if (units === undefined) return undefined;
    const isDoubtful = /^[A-Z]$/.test(word);
    return { end: at + word.length, meanings: [isDoubtful ? { units, isDoubtful } : { units }] };
  }
  const spaced = match(spacedWord, text, at);
  const isInches = match(spacedInches, text, at) !== null;
  const units = unitsOf(isInches ? "inch" : (spaced?.[1] ?? ""));
  // In `3 y 5 días`, `y` is the Spanish `and`. In `2 y 3 mo`, `y` means years.
  if (spaced?.[0] === " y" && spanishAnd.test(text.slice(at, at + 12))) return undefined;
  // In `5 A` and `10-K`, the letters are probably part of a name, not amperes or kelvin.
  if (spaced === null || units === undefined || /^(?: x|-[ABCFNxK])$/.test(spaced[0])) return undefined;
  if (/^ [ABCFN]$/.test(spaced[0])) return { end: at, meanings: [{ units: null, letterUnits: units }] };
  return { end: at + spaced[0].length, meanings: [{ units }] };
}

/** Returns the end and the denominator of a rate, which can have two parts: `mg/kg/day`. */
export function ratesBehind(text: string, at: number, hasUnit: boolean): ReturnType<typeof rateBehind> {
  const first = rateBehind(text, at, hasUnit);
  if (first.per === null || !hasUnit) return first;
  const second = rateBehind(text, first.end, hasUnit);
  return second.per === null ? first : { end: second.end, per: `${first.per}/${second.per}` };
}

function rateBehind(
  text: string,
  at: number,
  hasUnit: boolean,
): { readonly end: number; readonly per: string | null } {
  if (text[at] !== " " && text[at] !== "/") return { end: at, per: null };
  const found = match(perWord, text, at);
  if (found !== null) {
    const [whole, slashCount, slashed, wordCount, worded = found[6] ?? ""] = found;
    const unit = (slashed ?? worded).replace(/^(square|cubic) .*/i, (words) => compoundUnit(words) ?? words);
    const count = slashCount ?? wordCount;
    const isTime = unitsOf(unit)?.some(({ dimension }) => dimension === "time" || dimension === "months");
    // `120 mg/5 ml` is a rate whose denominator has a number, but `3/4 cup` is a fraction.
    const isCounted =
      count === undefined || (hasUnit && unitsOf(unit) !== undefined && !/^[KMGT]B?$/.test(unit));
    if (isCounted && (slashed !== undefined || alwaysPer.test(whole) || isTime === true))
      return { end: at + whole.length, per: perOf(unit, decimal(count ?? "1")) };
  }
  const often = match(adverb, text, at);
  const period = adverbs.get(often?.[1]?.toLowerCase().replace(" ", "") ?? "");
  return often === null || period === undefined
    ? { end: at, per: null }
    : { end: at + often[0].length, per: perOf(period) };
}

/** Returns the factor of a scale word, such as `million`; undefined for other words. */
function scaleOf(word: string): Decimal | undefined {
  if (dozens.has(word.toLowerCase())) return twelve;
  return scales.get(word) ?? (word.length > 1 ? scales.get(word.toLowerCase()) : undefined);
}
