import { type Decimal, decimal, keyOf, times } from "./decimal.ts";
import type { TimeOfDay } from "./times.ts";
import { isMeasureRate, isSamePer, rateKeys } from "./rates.ts";
import { isCent, isMoney, type Unit } from "./units.ts";

export interface Quantity {
  readonly is: "quantity";
  readonly value: Decimal;
  /**
   * Possible signs. `+5` and `rose by 5` are positive, and `-5` is negative. `fell by 5` is negative or
   * unsigned, and `5` is positive or unsigned. `±5` has any sign.
   */
  readonly signs: readonly Sign[];
  /**
   * Signs that the quantity supports as evidence, if they are not the same as `signs`: `33.9° S` is also
   * evidence for 33.9.
   */
  readonly toldSigns?: readonly Sign[];
  /** Possible units; null if the number has no unit. */
  readonly units: readonly Unit[] | null;
  /**
   * Units that a following capital letter may mean. `50 N` may be 50 without a unit or 50 newtons, and is
   * not 50 Nm.
   */
  readonly letterUnits?: readonly Unit[];
  /** Denominator of a rate, such as `month` in `500/month`; null if the quantity is no rate. */
  readonly per: string | null;
  /**
   * Whether the letters at the number may be something other than a unit. `5B` is compared with values that
   * have this unit, and not with plain numbers.
   */
  readonly isDoubtful?: boolean;
  /**
   * Whether the digits have several possible values, such as `1.250`. Evidence with several values leaves a
   * value undecided.
   */
  readonly isGuess?: boolean | undefined;
  /** Whether the number is part of a date or code. A part is equal only to a number without a unit. */
  readonly isPart?: boolean;
  /**
   * Whether the number is part of a series, such as `3` of the score `3-1`. The parts of a series do not
   * form another series.
   */
  readonly inSeries?: boolean;
  /** Whether the number is written as an ordinal, such as `9th`, which may be a day. */
  readonly isOrdinal?: boolean;
  /** Whether the number counts the following noun, as in `15 users`. A count has no unit. */
  readonly isCount?: boolean;
  /**
   * Whether the number belongs to a version. A version number is equal only to a number without unit and
   * noun.
   */
  readonly isRelease?: boolean;
  /** Whether a word calls the number a price. A price has no unit other than a currency. */
  readonly isPrice?: boolean | undefined;
  /** Whether the number is followed by a word that may be a unit, as in `7 vardagar`. */
  readonly isBeforeWord?: boolean | undefined;
  /**
   * Capital letters before the number, as in `AF 1234`. After other letters, the same number is another
   * code.
   */
  readonly prefix?: string;
  /** Capital letters after the number, as in `2500 EJ`. */
  readonly suffix?: string;
  /** Number of decimals, if the number has no unit and may be a version. As versions, 7.1 and 7.10 differ. */
  readonly decimals?: number | undefined;
  /**
   * Whether a text contains the number without a decimal point. Numbers in JSON are excluded, because JSON
   * numbers lose zeros at the end.
   */
  readonly isWhole?: boolean | undefined;
  /** Whether the value is a code without the leading zeros of the code. */
  readonly isStripped?: boolean;
  /**
   * Whether the value is the numerator of a rate in the evidence. A numerator does not match a rate with
   * another denominator.
   */
  readonly isNumerator?: boolean;
}
export type Sign = "+" | "-" | "unsigned";
export const unsigned: readonly Sign[] = ["+", "unsigned"];

/** Numbers that belong together: a range, a ratio, a score, or measures such as 10 x 20 cm. */
export interface Series {
  readonly is: "series";
  readonly parts: readonly Quantity[];
}

export interface Version {
  readonly is: "version";
  /** The version without parts that are zero at its end. */
  readonly key: string;
  /** Whether the version ended in parts that are zero. As a prefix, 2.0 does not match 2.1. */
  readonly hasZeros: boolean;
  /**
   * Whether the text may also be a date. The first parts of a possible date are no evidence for a version.
   */
  readonly isWhole?: boolean;
}

/** What a value at a position of a text may mean. */
export type Meaning =
  | Quantity
  | Series
  | {
      readonly is: "code";
      readonly key: string;
      /** Whether the groups of the code are evidence only together. */
      readonly isWhole?: boolean;
    }
  | Version
  | { readonly is: "digits"; readonly digits: string; readonly isPhone: boolean }
  | { readonly is: "date"; readonly form: string }
  | ({ readonly is: "time" } & TimeOfDay)
  | { readonly is: "address"; readonly key: string };

/** Returns a quantity without sign and unit. */
export function plainNumber(digits: string): Quantity {
  return { is: "quantity", value: decimal(digits), signs: unsigned, units: null, per: null };
}

/**
 * Returns the key of a code: its groups of letters and digits, joined by dashes. `ORD-4711`, `ord_4711` and
 * `ORD4711` all become `ord-4711`.
 */
export function codeKey(word: string): string {
  return (
    word
      .toLowerCase()
      .replace(/^v(?=\d+\.)/, "")
      .match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []
  ).join("-");
}

/**
 * Parses a version: `v3.10.0` is 3.10. A version is not a decimal number, so 3.1 and 3.10 are different
 * versions.
 */
export function versionOf(word: string): Version {
  const written = word.toLowerCase().replace(/^v\.?/, "");
  const key = written.replace(/(?:\.0)+$/, "");
  return { is: "version", key, hasZeros: key !== written };
}

/** Returns keys for the value in the base unit of each dimension that its unit may have. */
function baseKeys({ value, units }: Quantity): readonly string[] {
  return (units ?? []).map(({ dimension, factor }) => `${dimension} ${keyOf(times(value, factor))}`);
}

/** Returns the keys of a quantity. Equal quantities have a common key. */
export function quantityKeys(quantity: Quantity): readonly string[] {
  return [...plainKeys(quantity), ...baseKeys(quantity), ...rateKeys(quantity)];
}

/**
 * Whether a value in the answer may be the same as a value in the evidence. The values may be the same in
 * three cases: one value lacks a denominator (`5 mg`, `5 mg/kg`), one value has a noun and the other value a
 * unit (`15 users`, `15 km`), or the values are versions that differ in final zeros (`7.1`, `7.10`).
 */
export function isPerhapsSame(stated: Quantity, told: Quantity): boolean {
  // Denominators in words may be the same word in two languages: `per bottle`, `pro Flasche`.
  const areWords = [stated, told].every(({ per }) => per !== null && /^\p{L}+$/u.test(per));
  // `$15/host/month` may be written as `$15/month` for one host.
  const [shorter = "", longer = ""] = [stated.per ?? "", told.per ?? ""].sort((a, b) => a.length - b.length);
  const isPartOfPrice = isAmountOfMoney(stated) && longer.split("/").includes(shorter);
  const isRate =
    areWords || isPartOfPrice || ((stated.per === null) !== (told.per === null) && told.isNumerator !== true);
  const isShare = isShareOf(stated, told);
  const [one, other] = [stated, told].map(({ isCount = false, per, ...rest }): Quantity => ({
    ...rest,
    isCount: isCount && isShare,
    decimals: undefined,
    isWhole: undefined,
    isGuess: undefined,
    isBeforeWord: undefined,
    isPrice: undefined,
    isStripped: false,
    per: isRate ? null : per,
  }));
  return one !== undefined && other !== undefined && isSameAmount(one, other);
}

function isShareOf(one: Quantity, other: Quantity): boolean {
  return [one, other].some(({ units }) => units?.some(({ dimension }) => dimension === "%") === true);
}

/** Whether one quantity counts things, such as users, and the other quantity has a unit. */
function isCountOfOne(one: Quantity, other: Quantity): boolean {
  return (one.isCount === true && isMeasure(other)) || (other.isCount === true && isMeasure(one));
}

function isAmountOfMoney({ units }: Quantity): boolean {
  return units?.some(({ dimension }) => isMoney(dimension)) === true;
}

function isMeasure({ units, per }: Quantity): boolean {
  return units !== null && (per !== null || units[0]?.dimension !== "times");
}

/**
 * Whether the evidence has a word for several currencies, such as `kr`, and the answer has a currency other
 * than the usual one. The usual currency is the first.
 */
function isOtherCurrency({ units }: Quantity, { units: others }: Quantity): boolean {
  if (units === null || others === null || others.length < 2) return false;
  const [usual] = others;
  return (
    others.slice(1).every(({ dimension }) => isMoney(dimension)) &&
    !units.some(({ dimension }) => dimension === usual?.dimension)
  );
}

/** Matches letters before a number that label the number and are not part of a code. */
const labels =
  /^(?:id|no|nr|po|sku|pin|otp|ref|tel|fax|ean|upc|isbn|vat|plz|zip|cp|qty|num|of|at|is|to|in|on|n|age)$/;

function isOtherCode(stated: Quantity, told: Quantity): boolean {
  return areOther(stated.prefix, told.prefix) || areOther(stated.suffix, told.suffix);
}

function areOther(one: string | undefined, other: string | undefined): boolean {
  return (
    one !== undefined && other !== undefined && one !== other && !labels.test(one) && !labels.test(other)
  );
}

/** Whether the evidence has the same number as a whole number, or with another number of decimals. */
function isOtherVersion(stated: Quantity, told: Quantity): boolean {
  const { decimals } = stated;
  if (stated.units !== null || decimals === undefined || keyOf(stated.value) !== keyOf(told.value))
    return false;
  return (
    told.isWhole === true ||
    (told.units === null && told.decimals !== undefined && told.decimals !== decimals)
  );
}

/**
 * Whether only one of two measures has a denominator, and the denominator changes the meaning: `mg/kg`,
 * `km/h`.
 */
function isRateOfOne(one: Quantity, other: Quantity): boolean {
  if ((one.per === null) === (other.per === null) || one.units === null || other.units === null) return false;
  return isMeasureRate(one) || isMeasureRate(other);
}

/** Whether a quantity in the answer is equal to a quantity in the evidence. */
export function isSame(stated: Quantity, told: Quantity): boolean {
  return !isOtherCurrency(stated, told) && isSameAmount(stated, told);
}

function isSameAmount(stated: Quantity, told: Quantity): boolean {
  if (isRateOfOne(stated, told) || isCountOfOne(stated, told)) return false;
  if (isOtherCode(stated, told) || isOtherVersion(stated, told)) return false;
  if (told.isNumerator === true && stated.per !== null) return false;
  if (stated.isRelease === true && (told.units !== null || told.isCount === true || told.isPart === true))
    return false;
  if (told.isPrice === true && stated.units?.some(({ dimension }) => !isMoney(dimension)) === true)
    return false;
  if ((told.isBeforeWord === true || told.suffix !== undefined) && isMeasure(stated)) return false;
  if (told.isStripped === true || (told.isGuess === true && stated.isGuess !== true)) return false;
  if (stated.units === null && stated.per !== null && told.per === null && isShareOf(told, told))
    return false;
  if (!isZero(stated) && !stated.signs.some((sign) => told.signs.includes(sign))) return false;
  if (stated.inSeries === true && told.inSeries === true) return false;
  if (stated.per !== null && told.per !== null && !isSamePer(stated.per, told.per)) {
    const rates = rateKeys(told);
    return rateKeys(stated).some((rate) => rates.includes(rate));
  }
  const [unitsOfStated, unitsOfTold] = [unitsBeside(stated, told), unitsBeside(told, stated)];
  if (unitsOfStated !== null && unitsOfTold !== null) {
    const keys = baseKeys({ ...told, units: unitsOfTold });
    return baseKeys({ ...stated, units: unitsOfStated }).some((key) => keys.includes(key));
  }
  if (told.isPart === true && stated.units !== null) return false;
  if (stated.isDoubtful === true || told.isDoubtful === true) return false;
  const keys = plainKeys(told);
  return plainKeys(stated).some((key) => keys.includes(key));
}

/**
 * Returns the units of a quantity. If the quantity has no unit and the other quantity is a measure, returns
 * the units that its capital letter may mean.
 */
function unitsBeside({ units, letterUnits }: Quantity, other: Quantity): readonly Unit[] | null {
  return units ?? (other.units === null ? null : (letterUnits ?? null));
}

/**
 * Returns keys of the numbers with which a quantity is written without its unit: 45 and 0.45 for `45%`, 99
 * and 0.99 for `99 cents`.
 */
function plainKeys({ value, units }: Quantity): readonly string[] {
  const own = keyOf(value);
  const [unit] = units ?? [];
  const isShare = unit?.dimension === "%";
  if (unit === undefined || (!isShare && !isCent(unit))) return [own];
  const whole = isShare ? times(value, unit.factor) : value;
  const part = keyOf({ digits: whole.digits, exponent: whole.exponent - 2 });
  return [...new Set([own, part, ...(isShare ? [keyOf(whole)] : [])])];
}

function isZero({ value }: Quantity): boolean {
  return value.digits === 0n;
}

/**
 * Whether two series have the same numbers in the same order.
 * @param isAlike compares two numbers
 */
export function isSameSeries(stated: Series, told: Series, isAlike = isSame): boolean {
  return (
    stated.parts.length === told.parts.length &&
    stated.parts.every((part, at) => {
      const other = told.parts[at];
      return other !== undefined && isAlike(part, other);
    })
  );
}
