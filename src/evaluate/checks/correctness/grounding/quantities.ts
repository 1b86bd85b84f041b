import { type Decimal, decimal, isLess, plus, powerOfTen, quotient, times } from "./decimal.ts";
import { type Quantity, type Sign, unsigned } from "./meaning.ts";
import { numeralValues } from "./numerals.ts";
import { currencyOf, currencyPattern, type Unit, unitsOf } from "./units.ts";
import { compoundUnit, isUnitStart, longUnits, speeds } from "./compound-units.ts";
import { perOf } from "./rates.ts";
import { scaleOf } from "./scales.ts";

/** One number with what is written around it. */
export interface ReadQuantity {
  readonly end: number;
  /** The digits as written. */
  readonly digits: string;
  readonly isBare: boolean;
  /** Factor of its scale; undefined without one. */
  readonly scale: Decimal | undefined;
  /** Every quantity it can mean; empty when the digits are no number. */
  readonly quantities: readonly Quantity[];
}

export interface Surroundings {
  readonly text: string;
  readonly commaDecimals: boolean;
}

const lead = new RegExp(
  String.raw`([-+](?! ))?(?:(${currencyPattern}) ?)?([-+])?(?=\.?\d)|(±|\+/-) ?(?:(${currencyPattern}) ?)?(?=\.?\d)`,
  "uy",
);
const currencyBehind = new RegExp(String.raw` ?(${currencyPattern})(?![\p{L}\d])`, "uy");
const grouped = /\d{1,3}(?: \d{3}){1,6}(?!\d)(?:[.,]\d{1,20})?/uy;
const numeral = /\d{1,80}(?:(?:[.,_]|'(?!\d{1,2}(?!['\d])))\d{1,80}){0,12}|\.\d{1,80}/uy;
/**
 * The beginning of a word or sign that may be a number's scale or unit, at once or after a space or hyphen.
 */
const wordBehind = /[ -]?[\p{L}%‰°\p{Sc}'"]/uy;
const mixedFraction = /(\d{1,4}) (\d{1,2})\/(\d{1,2})(?![\d/])/uy;
const power = /e([+-]?\d{1,2})(?![\p{L}\d])| ?[x*] ?10\^(-?\d{1,2})(?!\d)/iuy;
const powerOfTens = /\^(-?\d{1,2})(?![\d.])/uy;
const degrees = / ?°/uy;
/** The half of the earth behind degrees, or behind as many decimals as only a coordinate has. */
const hemisphere =
  /(?: ?(?:°|deg(?:rees?)?(?!\p{L})))? ?([NSEW]|[nN]orth|[sS]outh|[eE]ast|[wW]est|[nN]ord|[sS]üd|[oO]st|[oO]uest|[nN]orte|[oO]este)(?![\p{L}\p{N}])/uy;
const southOrWest = /^(?:s|w|ouest|oeste)/i;
const PRECISE = /\.\d{4,}$/;
const attachedLetters = /[\p{L}]{1,16}(?:\^[23])?(?![\p{L}\p{N}_])|[%‰°](?![\p{L}\p{N}])/uy;
const spacedWord = /[ -]([%‰]|°|[\p{L}]{1,16}(?:\^[23]|[23](?!\d))?)(?![\p{L}\p{N}_])/uy;
/** `2 in` is a measure where a sentence does not go on with a place. */
const spacedInches = / in(?= ?(?:[x*,.;:)"]|$)| (?:tall|wide|long|high|deep|thick|by)(?!\p{L}))/uy;
const tonal = /(?:,-|\.-)(?![\p{L}\d])/uy;
/** `/kg`, `per hour`, `/100 km`, `per square metre`. */
const perWord =
  / ?\/ ?(\d{1,5}(?:\.\d{1,3})?)? ?(\p{L}{1,20}(?:\^[23])?)(?![\p{L}\p{N}])| (?:per|pro|por|par|each|every|an?) (?:(\d{1,5}) )?((?:square |cubic )?\p{L}{1,20}(?:\^[23])?)(?![\p{L}\p{N}])/iuy;
const adverb = / (hourly|daily|weekly|monthly|yearly|annually|annual|p\.a\.)/iuy;
const adverbs: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  weekly: "week",
  monthly: "month",
};

const isDigit = /\d/;
const noLead: readonly (string | undefined)[] = [];

/** The number that begins at a place of a plain text, with sign, currency, scale, unit and rate; undefined when there is none. */
export function quantityAt(around: Surroundings, at: number): ReadQuantity | undefined {
  const { text } = around;
  const front = isDigit.test(text.charAt(at)) ? noLead : match(lead, text, at);
  if (front === null) return undefined;
  const start = at + (front[0]?.length ?? 0);
  const sign = front[1] ?? front[3] ?? front[4];
  const currency = currencyOf(front[2] ?? front[5] ?? "");
  const number = numberAt(around, start, currency !== undefined);
  if (number === undefined) return undefined;
  const half = currency === undefined ? match(hemisphere, text, number.end) : null;
  const digits = text.slice(start, number.end);
  if (half !== null && (/°|deg/.test(half[0]) || (/^ ?[NSEW]$/.test(half[0]) && PRECISE.test(digits))))
    return coordinate(number.values, digits, number.end + half[0].length, southOrWest.test(half[1] ?? ""));
  const behind = unitBehind(text, skipPlus(text, number.end), currency);
  const hasUnit = behind.meanings.some(({ units }) => units !== null);
  const rate =
    behind.per === undefined ? ratesBehind(text, behind.end, hasUnit) : { end: behind.end, per: behind.per };
  const end = skipPlus(text, rate.end);
  const signs: readonly Sign[] =
    sign === undefined ? unsigned : sign === "-" || sign === "+" ? [sign] : [...unsigned, "-"];
  // 5日 are five days or the fifth.
  const isDay = /^[日일]/.test(text.charAt(number.end));
  const quantities = number.values.flatMap((value) =>
    behind.meanings.map(({ scale, units, letterUnits, isDoubtful }): Quantity => ({
      is: "quantity",
      value: scale === undefined ? value : times(value, scale),
      signs,
      units,
      per: rate.per,
      ...(isDay ? { isOrdinal: true } : {}),
      ...(letterUnits === undefined ? {} : { letterUnits }),
      ...(isDoubtful === true ? { isDoubtful } : {}),
    })),
  );
  const isBare = sign === undefined && end === number.end && currency === undefined;
  const scale = behind.meanings[0]?.scale;
  return { end, digits, isBare, scale, quantities };
}

/** South and west are below zero; evidence with the letter is also written as the number alone. */
function coordinate(values: readonly Decimal[], digits: string, end: number, isBelow: boolean): ReadQuantity {
  const signs: readonly Sign[] = isBelow ? ["-"] : ["+"];
  const quantities = values.map((value): Quantity => ({
    is: "quantity",
    value,
    signs,
    toldSigns: [...signs, "unsigned"],
    units: unitsOf("°") ?? null,
    per: null,
  }));
  return { end, digits, isBare: false, scale: undefined, quantities };
}

/** `500+`: at least. */
function skipPlus(text: string, at: number): number {
  return text[at] === "+" && !/[\d(]/.test(text.charAt(at + 1)) ? at + 1 : at;
}

function numberAt(
  { text, commaDecimals }: Surroundings,
  at: number,
  amount: boolean,
): { readonly end: number; readonly values: readonly Decimal[] } | undefined {
  const mixed = match(mixedFraction, text, at);
  if (mixed !== null) {
    const part = quotient(decimal(mixed[2] ?? ""), decimal(mixed[3] ?? ""));
    if (part !== undefined && isLess(part, decimal("1")))
      return { end: mixedFraction.lastIndex, values: [plus(decimal(mixed[1] ?? ""), part)] };
  }
  const pattern = match(grouped, text, at) === null ? numeral : grouped;
  const found = match(pattern, text, at);
  if (found === null) return undefined;
  const end = at + found[0].length;
  const tens = found[0] === "10" ? match(powerOfTens, text, end) : null;
  if (tens !== null) return { end: end + tens[0].length, values: [powerOfTen(Number(tens[1]))] };
  const values = numeralValues(found[0], { commaDecimals, amount });
  const raised = match(power, text, end);
  if (raised === null) return { end, values };
  const exponent = powerOfTen(Number(raised[1] ?? raised[2]));
  return { end: end + raised[0].length, values: values.map((value) => times(value, exponent)) };
}

interface UnitMeaning {
  readonly scale?: Decimal;
  readonly units: readonly Unit[] | null;
  readonly letterUnits?: readonly Unit[];
  readonly isDoubtful?: boolean;
}

interface Behind {
  readonly end: number;
  /** The denominator in the word of the unit itself. */
  readonly per?: string;
  readonly meanings: readonly UnitMeaning[];
}

/** Scale and unit behind a number. A currency in front is the unit; letters such as `m` are a scale there only. */
function unitBehind(text: string, at: number, currency: readonly Unit[] | undefined): Behind {
  if (currency !== undefined) {
    const scaled = scaleBehind(text, at, true);
    if (scaled !== undefined)
      return { end: skipCode(text, scaled.end), meanings: [{ scale: scaled.scale, units: currency }] };
    const dash = match(tonal, text, at);
    return { end: skipCode(text, dash === null ? at : at + dash[0].length), meanings: [{ units: currency }] };
  }
  if (match(wordBehind, text, at) === null) return { end: at, meanings: [{ units: null }] };
  const scaled = scaleBehind(text, at, false);
  const plain = plainUnit(text, at);
  if (scaled === undefined) return plain ?? { end: at, meanings: [{ units: null }] };
  const unit = plainUnit(text, scaled.end);
  const meaning: UnitMeaning = { scale: scaled.scale, units: unit?.meanings[0]?.units ?? null };
  // `5m` and `5 t` are metres and tonnes as well as millions and trillions.
  const both = plain !== undefined && plain.end === scaled.end ? plain.meanings : [];
  return { end: unit?.end ?? scaled.end, meanings: [meaning, ...both] };
}

/** `$50 USD`: the code repeats the sign. */
function skipCode(text: string, at: number): number {
  const found = match(spacedWord, text, at);
  const word = found?.[1] ?? "";
  return /^[A-Z]{3}$/.test(word) && currencyOf(word) !== undefined ? at + (found?.[0].length ?? 0) : at;
}

const scaleLetters = /[\p{L}]{1,12}\.?/uy;
const scaleWord = /[ -]([\p{L}]{1,12})(?![\p{L}\p{N}])(\.(?= ?[\p{L}\p{Sc}]))?/uy;

function scaleBehind(
  text: string,
  at: number,
  hasCurrency: boolean,
): { readonly end: number; readonly scale: Decimal } | undefined {
  const letters = match(scaleLetters, text, at);
  if (letters !== null) {
    const word = letters[0].replace(/\.$/, "");
    const scale = scaleOf(word);
    if (scale !== undefined) return { end: at + word.length, scale };
    const first = scaleOf(word.charAt(0));
    const rest = word.slice(1);
    // `5k€` and `500万円`: what follows a scale of one letter is the unit.
    return first !== undefined && /^\p{Script=Han}/u.test(word) && unitsOf(rest) !== undefined
      ? { end: at + 1, scale: first }
      : undefined;
  }
  const spaced = match(scaleWord, text, at);
  const word = spaced?.[1] ?? "";
  // `3 M€`: a letter alone is a scale where a currency stands beside it.
  const isScale =
    word.length > 1 || hasCurrency || /\p{Sc}/u.test(text.charAt(at + (spaced?.[0].length ?? 0)));
  const scale = isScale ? scaleOf(word) : undefined;
  return spaced === null || scale === undefined ? undefined : { end: at + spaced[0].length, scale };
}

const nextIsSign = /^ ?(?:\p{Sc}|[A-Z]{1,2}\$|°)|^['"]/u;
/** `5'11"`: feet and inches. */
const feetOrInches = /'(?!')(?![\p{L}])|(?:"|'')(?![\p{L}\p{N}])/uy;
const LONGEST_QUOTATION = 40;

/** Whether the mark behind a number ends a quotation: `'6'`, `"size 27"`. */
function closesQuotation(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_QUOTATION), at);
  return text[at] === "'" ? /'[\d.,]{1,12}$/.test(before) : /(?:^|[^\d'])"[^\s"][^"\n]*$/.test(before);
}

function plainUnit(text: string, at: number): Behind | undefined {
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
    return { end: at + mark.length, meanings: [{ units: unitsOf(mark === "'" ? "ft" : "inch") ?? null }] };
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
  // `5 A` and `10-K` are rather names than amperes and kelvin.
  if (spaced === null || units === undefined || /^(?: x|-[ABCFNxK])$/.test(spaced[0])) return undefined;
  if (/^ [ABCFN]$/.test(spaced[0])) return { end: at, meanings: [{ units: null, letterUnits: units }] };
  return { end: at + spaced[0].length, meanings: [{ units }] };
}

/** One denominator or two: `mg/kg/day`. */
function ratesBehind(text: string, at: number, hasUnit: boolean): ReturnType<typeof rateBehind> {
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
    const [whole, slashCount, slashed, wordCount, worded = ""] = found;
    const unit = (slashed ?? worded).replace(/^(square|cubic) .*/i, (words) => compoundUnit(words) ?? words);
    const count = slashCount ?? wordCount;
    const isTime = unitsOf(unit)?.some(({ dimension }) => dimension === "time" || dimension === "months");
    // `120 mg/5 ml` is a rate, `3/4 cup` a fraction.
    const isCounted = count === undefined || (hasUnit && unitsOf(unit) !== undefined);
    if (isCounted && (slashed !== undefined || / (?:per|pro)/i.test(whole) || isTime === true))
      return { end: at + whole.length, per: perOf(unit, decimal(count ?? "1")) };
  }
  const often = match(adverb, text, at);
  if (often === null) return { end: at, per: null };
  return { end: at + often[0].length, per: perOf(adverbs[often[1]?.toLowerCase() ?? ""] ?? "year") };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
