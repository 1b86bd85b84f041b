import { type Decimal, decimal, isLess, plus, powerOfTen, quotient, times } from "./decimal.ts";
import { type Quantity, type Sign, unsigned } from "./meaning.ts";
import { numeralValues } from "./numerals.ts";
import { currencyOf, currencyPattern, isMoney, unitsOf } from "./units.ts";
import type { Surroundings } from "./reading.ts";
import { match } from "./sticky.ts";
import { ratesBehind, unitBehind } from "./unit-behind.ts";

/** A number parsed from a text, with its sign, scale, unit and rate. */
export interface ReadQuantity {
  readonly end: number;
  readonly digits: string;
  readonly isBare: boolean;
  /** Factor of the scale word after the digits; undefined without a scale word. */
  readonly scale: Decimal | undefined;
  /** All possible meanings of the number; empty if the digits are not a number. */
  readonly quantities: readonly Quantity[];
}

const lead = new RegExp(
  String.raw`([-+](?! ))?(?:(${currencyPattern}) ?)?([-+])?(?=\.?\d)|(±|\+/-) ?(?:(${currencyPattern}) ?)?(?=\.?\d)`,
  "uy",
);
const grouped = /\d{1,3}(?: \d{3}){1,6}(?!\d)(?:[.,]\d{1,20})?/uy;
const numeral = /\d{1,80}(?:(?:[.,_]|'(?!\d{1,2}(?!['\d])))\d{1,80}){0,12}|\.\d{1,80}/uy;
const mixedFraction = /(\d{1,4}) (\d{1,2})\/(\d{1,2})(?![\d/])/uy;
const power = /e([+-]?\d{1,2})(?![\p{L}\d])| ?[x*·⋅] ?10\^(-?\d{1,2})(?!\d)/iuy;
const powerOfTens = /\^(-?\d{1,2})(?![\d.])/uy;
/** Matches the hemisphere after degrees, or after a number with as many decimals as a coordinate. */
const hemisphere =
  /(?: ?(?:°|deg(?:rees?)?(?!\p{L})))? ?([NSEW]|[nN]orth|[sS]outh|[eE]ast|[wW]est|[nN]ord|[sS]üd|[oO]st|[oO]uest|[nN]orte|[oO]este)(?![\p{L}\p{N}])/uy;
const southOrWest = /^(?:s|w|ouest|oeste)/i;
const PRECISE = /\.\d{4,}$/;
const isDigit = /\d/;
const noLead: readonly (string | undefined)[] = [];

/** Returns the number at a position of a plain text, with sign, currency, scale, unit and rate. Undefined if there is no number. */
export function quantityAt(around: Surroundings, at: number): ReadQuantity | undefined {
  const { text } = around;
  const front = isDigit.test(text.charAt(at)) ? noLead : match(lead, text, at);
  if (front === null) return undefined;
  const start = at + (front[0]?.length ?? 0);
  const sign = front[1] ?? front[3] ?? front[4];
  const currency = currencyOf(front[2] ?? front[5] ?? "");
  const number = numberAt(around, start);
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
  const isCount = !hasUnit && rate.per === null && isNounAt(text, end);
  // 5日 can mean five days, or the fifth day of a month.
  const isDay = /^[日일]/.test(text.charAt(number.end));
  const isWhole = /^\d+$/.test(digits);
  // Before a scale word, an amount of money can have three decimals: `$1.234 million`. Without a scale word, a mark before three digits
  // separates thousands.
  const isAmount = behind.meanings.every(
    ({ units, scale }) => scale === undefined && units?.every(({ dimension }) => isMoney(dimension)) === true,
  );
  const values = isAmount && number.values.length > 1 ? number.values.filter(isWholeNumber) : number.values;
  const quantities = values.flatMap((value) =>
    behind.meanings.map(({ scale, units, letterUnits, isDoubtful }): Quantity => ({
      is: "quantity",
      value: scale === undefined ? value : times(value, scale),
      signs,
      units,
      per: rate.per,
      ...(isWhole ? { isWhole } : {}),
      ...(values.length > 1 ? { isGuess: true } : {}),
      ...(isDay ? { isOrdinal: true } : {}),
      ...(isCount && letterUnits === undefined ? { isCount } : {}),
      ...(!hasUnit && rate.per === null && match(anyWord, text, end) !== null ? { isBeforeWord: true } : {}),
      ...(letterUnits === undefined ? {} : { letterUnits }),
      ...(isDoubtful === true ? { isDoubtful } : {}),
    })),
  );
  const isBare = sign === undefined && end === number.end && currency === undefined;
  const scale = behind.meanings[0]?.scale;
  return { end, digits, isBare, scale, quantities };
}

function isWholeNumber({ exponent }: Decimal): boolean {
  return exponent >= 0;
}

const noun =
  / (\p{Ll}{3,20}s|people|children|women|men|personen|nutzer|gente|\p{Ll}{0,3}\p{Lu}{2,10}s|\p{Lu}\p{Ll}{3,20})(?![\p{L}:=])| ?(\p{Script=Katakana}{2,12})/uy;
const anyWord = / \p{Ll}{4,20}(?![\p{L}:=])/uy;

/** Matches words that end like nouns and are not nouns. */
const noNouns =
  /^(?:was|has|does|plus|minus|less|its|this|thus|always|across|towards|besides|versus|gross|unless|perhaps|others?|times|out|bis|als|aus|des|das|dans|sans|sous|dès|pas|moins|mais|puis|tous|plus|après|vers|más|menos|los|las|tras|antes|dos|das|mais|nos|nas)$/u;

/** Whether a noun follows, judged by its ending or capital letter. */
function isNounAt(text: string, at: number): boolean {
  const found = match(noun, text, at);
  return found !== null && !noNouns.test(found[1] ?? "");
}

/** Returns a coordinate as quantities. South and west are negative. The coordinate is also evidence for the number without a sign. */
function coordinate(values: readonly Decimal[], digits: string, end: number, isBelow: boolean): ReadQuantity {
  const signs: readonly Sign[] = isBelow ? ["-"] : ["+"];
  const quantities = values.map((value): Quantity => ({
    is: "quantity",
    value,
    signs,
    evidenceSigns: [...signs, "unsigned"],
    units: unitsOf("°") ?? null,
    per: null,
  }));
  return { end, digits, isBare: false, scale: undefined, quantities };
}

/** Skips the plus sign in `500+`, which means at least 500. */
function skipPlus(text: string, at: number): number {
  return text[at] === "+" && !/[\d(]/.test(text.charAt(at + 1)) ? at + 1 : at;
}

function numberAt(
  { text, commaDecimals, pointDecimals }: Surroundings,
  at: number,
): { readonly end: number; readonly values: readonly Decimal[] } | undefined {
  const mixed = match(mixedFraction, text, at);
  if (mixed !== null) {
    const part = quotient(decimal(mixed[2] ?? ""), decimal(mixed[3] ?? ""));
    if (part !== undefined && isLess(part, decimal("1")))
      return { end: mixedFraction.lastIndex, values: [plus(decimal(mixed[1] ?? ""), part)] };
  }
  // The space in `HTTP/2 200` does not separate thousands.
  const pattern = text[at - 1] === "/" || match(grouped, text, at) === null ? numeral : grouped;
  const found = match(pattern, text, at);
  if (found === null) return undefined;
  const end = at + found[0].length;
  const tens = found[0] === "10" ? match(powerOfTens, text, end) : null;
  if (tens !== null) return { end: end + tens[0].length, values: [powerOfTen(Number(tens[1]))] };
  const values = numeralValues(found[0], { commaDecimals, pointDecimals });
  const raised = match(power, text, end);
  if (raised === null) return { end, values };
  const exponent = powerOfTen(Number(raised[1] ?? raised[2]));
  return { end: end + raised[0].length, values: values.slice(0, 1).map((value) => times(value, exponent)) };
}
