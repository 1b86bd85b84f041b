import { hasSpelledMinus, isVersioned, signsAround, signsOfParentheses } from "./context.ts";
import { codeKey, type Meaning, plainNumber, type Quantity, unsigned, versionOf } from "./meaning.ts";
import { quantityAt, type ReadQuantity } from "./quantities.ts";
import { type Found, found, type State, type Surroundings } from "./reading.ts";
import { match } from "./sticky.ts";
import { seriesAt } from "./series.ts";
import { isMoney, type Unit, unitsOf } from "./units.ts";
import { decimal, isLess, plus, times } from "./decimal.ts";

const smallerUnits: readonly (readonly [written: RegExp, digits: RegExp, smaller: string])[] = [
  [/'$/, /^\d/, "inch"],
  [/\d ?kg$/, /^ \d{3}$/, "g"],
  [/\d ?m$/, /^ \d{2}$/, "cm"],
  [/\d ?€$/, /^ \d{2}$/, "cents"],
];

const partGap = /(?:,? (?:and|und|y|et|en?|con)(?= )|,)? ?/uy;

const ordinal = /(\d{1,4})(?:st|nd|rd|th)(?![\p{L}\p{N}])/iuy;
/** Matches a version with its pre-release. `2.4.0-rc.1` and 2.4.0 are different versions. */
const version =
  /v?\d{1,9}(?:\.\d{1,9}){0,5}(?:-(?:alpha|beta|rc|pre|dev|snapshot|preview|canary|nightly)(?:[-.]?\p{N}{1,9}){0,3})?(?![\p{L}\p{N}_]|[-._]\p{N})/iuy;

/** Returns the number, series of numbers or version at a position of a plain text; undefined if there is none. */
export function numbersAt(state: State, at: number): Found | undefined {
  const { text } = state;
  const written = match(version, text, at)?.[0];
  if (written !== undefined && (isVersioned(state.word) || /v|\d-\p{L}/iu.test(written))) {
    if (!isUnitNext(state, at, written)) {
      const release = versionOf(written);
      return found("id", text, at, at + written.length, [
        [release],
        ...(/^\d+$/.test(written) ? [[{ ...plainNumber(written), isRelease: true }]] : []),
      ]);
    }
  }
  if (match(ordinal, text, at) !== null) {
    const read = quantityAt({ text: text.slice(at, ordinal.lastIndex - 2), commaDecimals: false }, 0);
    const nth = read?.quantities.map((quantity): Quantity => ({ ...quantity, isOrdinal: true }));
    if (nth !== undefined) return found("number", text, at, ordinal.lastIndex, [nth]);
  }
  const series = seriesAt(state, at, state.word);
  if (series !== undefined && isEnd(text, series.end))
    return found("number", text, at, series.end, signed(state, at, series.end, series.readings));
  const first = quantityAt(state, at);
  if (first === undefined) return undefined;
  const parts = summed(state, first);
  const last = parts.at(-1) ?? first;
  if (!isEnd(text, last.end)) return undefined;
  if (parts.length > 1) {
    return found("number", text, at, last.end, sumOf(parts));
  }
  return single(state, at, first);
}

function isUnitNext(state: State, at: number, written: string): boolean {
  const read = quantityAt(state, at);
  const end = at + written.length;
  return read !== undefined && !read.isBare && read.end > end && state.text.slice(end, read.end) !== "+";
}

function single(state: State, at: number, read: ReadQuantity): Found | undefined {
  const { text, word } = state;
  const { end, digits, quantities } = read;
  const whole = text.slice(at, end);
  // A number with leading zeros is a code: `0042` and `042` differ.
  const isCode = /^0\d{2,}$/.test(whole);
  const readings: Meaning[][] = isCode
    ? []
    : quantities.map((quantity) => [marked(state, at, whole, quantity)]);
  if (quantities.length === 0 && /^\d+(?:\.\d+){2,5}$/.test(digits)) {
    // In `1.7.0 y 5.41`, `y` is a word, not the unit of years.
    const written = whole.startsWith(`${digits} `) ? digits : whole;
    return found("id", text, at, at + written.length, [
      [versionOf(written)],
      [{ is: "code", key: codeKey(written) }],
    ]);
  }
  if (quantities.length === 0 && /^\d+(?:,\d+)+$/.test(digits)) {
    const each = digits
      .split(",")
      .map((one) => quantityAt({ text: one, commaDecimals: false }, 0)?.quantities[0]);
    if (each.every((one): one is Quantity => one !== undefined)) readings.push(each);
  }
  if (isCode || /^\d{7,}$/.test(whole)) readings.push([{ is: "digits", digits: whole, isPhone: false }]);
  if (isCode || (/^\d+$/.test(whole) && quantities.length === 0)) readings.push([{ is: "code", key: whole }]);
  if (/^\d+(?:\.\d+){1,5}$/.test(whole)) readings.push([versionOf(whole)]);
  // `221B` is a house number, and `BA 249` is a flight.
  if (/^\d+\p{L}+$/u.test(whole)) readings.push([{ is: "code", key: codeKey(whole) }]);
  // `1015 CJ` is also read as the code 1015CJ.
  const [, behind] =
    /^\d{2,}$/.test(whole) && !/^[A-Z]+$/.test(word) ? (match(lettersBehind, text, end) ?? []) : [];
  if (behind !== undefined) readings.push([{ is: "code", key: codeKey(whole + behind), isWhole: true }]);
  if (/^\d+$/.test(whole) && word !== "") readings.push([{ is: "code", key: codeKey(`${word} ${whole}`) }]);
  const kind = readings.length === 0 ? null : isCode || quantities.length === 0 ? "id" : "number";
  return found(kind, text, at, end, signed(state, at, end, readings));
}

const lettersBehind = / ([A-Z]{1,3})(?![\p{L}\p{N}'])/uy;
const priceWord =
  /^(?:price|cost|fee|fare|rent|salary|preis|kosten|gebühr|miete|prix|coût|precio|coste|prezzo|preço)s?$/i;
const amountWord =
  /price|amount|total|cost|fee|value|sum|balance|rating|score|average|mean|rate|grade|gpa|preis|betrag|kosten|note|prix|precio|prezzo/i;

/** Adds to a number the capital letters around it and, for a number that may be a version, its number of decimals. */
function marked(state: State, at: number, whole: string, read: Quantity): Quantity {
  const { text, word } = state;
  const quantity = read.units === null && priceWord.test(word) ? { ...read, isPrice: true } : read;
  const [, decimals] = /^\d{1,3}\.(\d{1,2})$/.exec(whole) ?? [];
  if (decimals !== undefined && !amountWord.test(word)) return { ...quantity, decimals: decimals.length };
  if (!/^\d{2,}$/.test(whole)) return quantity;
  const isPrefixed = /^[A-Z]{1,4}$/.test(word) && text.slice(at - word.length - 1, at - 1) === word;
  const [, suffix] = match(lettersBehind, text, at + whole.length) ?? [];
  if (suffix === "BC" || suffix === "BCE") return { ...quantity, signs: ["-"] };
  return {
    ...quantity,
    ...(isPrefixed ? { prefix: word.toLowerCase() } : {}),
    ...(suffix === undefined ? {} : { suffix: suffix.toLowerCase() }),
  };
}

function isAmount(meaning: Meaning): boolean {
  return meaning.is === "quantity" && meaning.units?.some(({ dimension }) => isMoney(dimension)) === true;
}

/** Sets the signs that surrounding words imply. Evidence for `fell by 5` may have the value -5; evidence for `rose by 5` may not. */
function signed(
  { text }: State,
  at: number,
  end: number,
  readings: readonly (readonly Meaning[])[],
): readonly (readonly Meaning[])[] {
  const isMoneyRead = readings.some((reading) => reading.some(isAmount));
  const signs = signsOfParentheses(text, at, end, isMoneyRead) ?? signsAround(text, at, end);
  if (signs === undefined) return readings;
  // `minus 5` is no evidence for 5.
  const evidence: Partial<Quantity> = hasSpelledMinus(text, at) ? { evidenceSigns: ["-"] } : {};
  return readings.map((reading) =>
    reading.map((meaning) =>
      meaning.is === "quantity" && meaning.signs === unsigned ? { ...meaning, signs, ...evidence } : meaning,
    ),
  );
}

/** Whether a number ends at this position. `24-hour` ends after 24. `7f3a-99c2`, `10-K` and `550e8400` continue as codes. */
function isEnd(text: string, end: number): boolean {
  const rest = text.slice(end, end + 24);
  if (/^[\p{L}\p{N}_]/u.test(rest)) return false;
  if (/^-\p{Ll}{3,}(?![\p{N}_]|-\p{N})/u.test(rest) || /^\.\p{Lu}/u.test(rest)) return true;
  return !/^[-._:/@]+[\p{L}\p{N}]/u.test(rest) || /^\/\p{L}{3,}/u.test(rest) || /^:\p{L}/u.test(rest);
}

/** Returns a number and the following numbers of smaller units of the same dimension: `1 h 30 min`, `5 dollars and 50 cents`. */
function summed(around: Surroundings, first: ReadQuantity): readonly ReadQuantity[] {
  const parts = [first];
  let last = first;
  while (parts.length < 4 && unitsAt(last).length > 0) {
    const gap = match(partGap, around.text, last.end);
    const next = withSmallerUnit(around, last, quantityAt(around, last.end + (gap?.[0].length ?? 0)));
    if (next === undefined || !isSmallerPart(last, next)) break;
    parts.push(next);
    last = next;
  }
  return parts;
}

/** Gives a number without a unit the next smaller unit: inches for 11 in `5'11`, g for 200 in `1 kg 200`, cents for 50 in `12 € 50`. */
function withSmallerUnit(
  { text }: Surroundings,
  larger: ReadQuantity,
  next?: ReadQuantity,
): ReadQuantity | undefined {
  if (next?.isBare !== true) return next;
  const own = text.slice(Math.max(0, larger.end - 5), larger.end);
  const digits = text.slice(larger.end, next.end);
  const smaller = smallerUnits.find(([written, behind]) => written.test(own) && behind.test(digits))?.[2];
  const isClosed = /^(?:$|[.,;:!?)\n])/.test(text.slice(next.end, next.end + 1));
  const units = unitsOf(smaller ?? "");
  if (units === undefined || (smaller !== "inch" && !isClosed)) return next;
  return { ...next, quantities: next.quantities.map((quantity) => ({ ...quantity, units })) };
}

function isSmallerPart(larger: ReadQuantity, smaller: ReadQuantity): boolean {
  const others = unitsAt(smaller);
  return unitsAt(larger).some((unit) => others.some((other) => isSmallerUnit(other, unit)));
}

function isSmallerUnit(one: Unit, other: Unit): boolean {
  return one.dimension === other.dimension && one.factor !== other.factor && isLess(one.factor, other.factor);
}

function unitsAt({ quantities }: ReadQuantity): readonly Unit[] {
  const [only] = quantities;
  return quantities.length === 1 ? (only?.units ?? []) : quantities.flatMap(({ units }) => units ?? []);
}

/**
 * Returns two readings: the sum of the parts in their common base unit, and the list of the parts. Empty if the parts have no common
 * dimension.
 */
function sumOf(parts: readonly ReadQuantity[]): readonly (readonly Meaning[])[] {
  const [head] = parts;
  const [shared] =
    head === undefined ? [] : unitsAt(head).filter(({ dimension }) => parts.every(hasIn(dimension)));
  if (shared === undefined) return [];
  const { dimension } = shared;
  const each = parts.flatMap(({ quantities }) =>
    quantities.filter(({ units }) => units?.some((unit) => unit.dimension === dimension)).slice(0, 1),
  );
  const [first] = each;
  if (first === undefined) return [];
  const values = each.map(({ value, units }) =>
    times(value, units?.find((unit) => unit.dimension === dimension)?.factor ?? decimal("1")),
  );
  const base = [{ dimension, factor: decimal("1") }];
  return [[{ ...first, value: values.reduce(plus), units: base }], each];
}

function hasIn(dimension: string): (part: ReadQuantity) => boolean {
  return (part) => unitsAt(part).some((unit) => unit.dimension === dimension);
}
