import { type Decimal, decimal, keyOf, times } from "./decimal.ts";
import type { TimeOfDay } from "./times.ts";
import { isMeasureRate, isSamePer, rateKeys } from "./rates.ts";
import { isCent, isMoney, type Unit } from "./units.ts";

export interface Quantity {
  readonly is: "quantity";
  readonly value: Decimal;
  /**
   * Possible signs. `+5` and `rose by 5`: positive. `-5`: negative. `fell by 5`: negative or unsigned. `5`: positive or unsigned. `±5`:
   * any.
   */
  readonly signs: readonly Sign[];
  /**
   * Signs that a number in the answer may have if this quantity is its evidence. If absent, `signs`. For `33.9° S`, 33.9 without a sign is
   * accepted, too.
   */
  readonly evidenceSigns?: readonly Sign[];
  /** Possible units; null if the number has no unit. */
  readonly units: readonly Unit[] | null;
  /** Units that a capital letter after the number may mean. `50 N` can be the plain number 50 or 50 newtons, but not 50 Nm. */
  readonly letterUnits?: readonly Unit[];
  /** Denominator of a rate, such as `month` in `500/month`; null if the quantity is not a rate. */
  readonly per: string | null;
  /**
   * True if it is uncertain whether the letters after the number are a unit, as in `5B`. Such a number does not equal the plain number 5.
   */
  readonly isDoubtful?: boolean;
  /**
   * True if the digits have several possible values, such as `1.250`. A value of the answer that matches only digits with several possible
   * values is undecided.
   */
  readonly isGuess?: boolean | undefined;
  /** True if the number is part of a date or code. Such a part equals only numbers without a unit. */
  readonly isPart?: boolean;
  /** True if the number is part of a series, such as 3 in the score `3-1`. Parts of one series never match parts of another series. */
  readonly inSeries?: boolean;
  /** True for an ordinal such as `9th`, which can be a day. */
  readonly isOrdinal?: boolean;
  /** True if the number counts the next noun and has no unit, as in `15 users`. */
  readonly isCount?: boolean;
  /** True if the number belongs to a version. A version number equals only numbers without unit and noun. */
  readonly isRelease?: boolean;
  /** True if a word before the number marks a price, so that the unit is a currency. */
  readonly isPrice?: boolean | undefined;
  /** True if the next word may be a unit, as in `7 vardagar`. */
  readonly isBeforeWord?: boolean | undefined;
  /** Capital letters before the number, as in `AF 1234`, which is another code than `BA 1234`. */
  readonly prefix?: string;
  /** Capital letters after the number, as in `2500 EJ`. */
  readonly suffix?: string;
  /** Number of decimals, if the number may be a version; absent otherwise. Versions 7.1 and 7.10 differ. */
  readonly decimals?: number | undefined;
  /** True if the text has the number without a decimal point. Never set for JSON numbers: JSON writes 7.0 as 7. */
  readonly isWhole?: boolean | undefined;
  /** True if the value is a code without its leading zeros. */
  readonly isStripped?: boolean;
  /**
   * True if the quantity is the numerator of a rate in the evidence, such as 5 mg in `5 mg/kg`. A numerator does not equal a rate of the
   * answer.
   */
  readonly isNumerator?: boolean;
}
export type Sign = "+" | "-" | "unsigned";
export const unsigned: readonly Sign[] = ["+", "unsigned"];

/** Numbers that belong together: a range, ratio, score or measures such as `10 x 20 cm`. */
export interface Series {
  readonly is: "series";
  readonly parts: readonly Quantity[];
}

export interface Version {
  readonly is: "version";
  /** The version without trailing zeros: "2" for 2.0. */
  readonly key: string;
  /** True if the version had trailing zeros. 2.0 is not a prefix of 2.1, but 2 is. */
  readonly hasZeros: boolean;
  /** True if the text can also be a date, such as `3.9.2025`, whose beginning is then no evidence for version 3.9. */
  readonly isWhole?: boolean;
}

/** One possible meaning of a value in a text. */
export type Meaning =
  | Quantity
  | Series
  | {
      readonly is: "code";
      readonly key: string;
      /** True if a group of the code alone is not evidence, only the complete code. */
      readonly isWhole?: boolean;
    }
  | Version
  | { readonly is: "digits"; readonly digits: string; readonly isPhone: boolean }
  | { readonly is: "date"; readonly form: string }
  | ({ readonly is: "time" } & TimeOfDay)
  | { readonly is: "address"; readonly key: string };

/** Returns digits as a quantity without a unit. */
export function plainNumber(digits: string): Quantity {
  return { is: "quantity", value: decimal(digits), signs: unsigned, units: null, per: null };
}

/**
 * Returns the key of a code: its groups of letters and digits, joined by dashes. `ORD-4711`, `ord_4711` and `ORD4711` have the key
 * `ord-4711`.
 */
export function codeKey(word: string): string {
  return (
    word
      .toLowerCase()
      .replace(/^v(?=\d+\.)/, "")
      .match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []
  ).join("-");
}

/** Parses a version: `v3.10.0` becomes 3.10. Versions 3.1 and 3.10 differ, unlike the decimal numbers 3.1 and 3.10. */
export function versionOf(word: string): Version {
  const written = word.toLowerCase().replace(/^v\.?/, "");
  const key = written.replace(/(?:\.0)+$/, "");
  return { is: "version", key, hasZeros: key !== written };
}

/** Returns the value's keys in the base unit of each dimension that its unit may have. */
function baseKeys({ value, units }: Quantity): readonly string[] {
  return (units ?? []).map(({ dimension, factor }) => `${dimension} ${keyOf(times(value, factor))}`);
}

/** Returns the keys of a quantity. Equal quantities share a key. */
export function quantityKeys(quantity: Quantity): readonly string[] {
  return [...plainKeys(quantity), ...baseKeys(quantity), ...rateKeys(quantity)];
}

/**
 * Whether a quantity of the answer may have the meaning of a quantity of the evidence although they are not equal. Cases: one lacks a
 * denominator (`5 mg`, `5 mg/kg`); one has a noun and the other a unit (`15 users`, `15 km`); versions differ in trailing zeros (`7.1`,
 * `7.10`).
 */
export function isPerhapsSame(stated: Quantity, evidence: Quantity): boolean {
  // Two denominators in words can be the same word in two languages: `per bottle`, `pro Flasche`.
  const areWords = [stated, evidence].every(({ per }) => per !== null && /^\p{L}+$/u.test(per));
  // `$15/host/month` can also be written as `$15/month`, so a part of the denominator may be missing.
  const [shorter = "", longer = ""] = [stated.per ?? "", evidence.per ?? ""].sort(
    (a, b) => a.length - b.length,
  );
  const isPartOfPrice = isAmountOfMoney(stated) && longer.split("/").includes(shorter);
  const isRate =
    areWords ||
    isPartOfPrice ||
    ((stated.per === null) !== (evidence.per === null) && evidence.isNumerator !== true);
  const isShare = isShareOf(stated, evidence);
  const [one, other] = [stated, evidence].map(({ isCount = false, per, ...rest }): Quantity => ({
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

/** Whether one quantity counts things, such as users, and the other has a unit. */
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
 * Whether the evidence has a word for several currencies, such as `kr`, and the answer does not have the most usual of these currencies
 * (the first in the list).
 */
function isOtherCurrency({ units }: Quantity, { units: others }: Quantity): boolean {
  if (units === null || others === null || others.length < 2) return false;
  const [usual] = others;
  return (
    others.slice(1).every(({ dimension }) => isMoney(dimension)) &&
    !units.some(({ dimension }) => dimension === usual?.dimension)
  );
}

/** Matches letters that label a number and are not part of a code. */
const labels =
  /^(?:id|no|nr|po|sku|pin|otp|ref|tel|fax|ean|upc|isbn|vat|plz|zip|cp|qty|num|of|at|is|to|in|on|n|age)$/;

function isOtherCode(stated: Quantity, evidence: Quantity): boolean {
  return areOther(stated.prefix, evidence.prefix) || areOther(stated.suffix, evidence.suffix);
}

function areOther(one: string | undefined, other: string | undefined): boolean {
  return (
    one !== undefined && other !== undefined && one !== other && !labels.test(one) && !labels.test(other)
  );
}

/** Whether the answer's number may be a version, and the evidence has the equal number with other decimals: `7.10` or 7 for version 7.1. */
function isOtherVersion(stated: Quantity, evidence: Quantity): boolean {
  const { decimals } = stated;
  if (stated.units !== null || decimals === undefined || keyOf(stated.value) !== keyOf(evidence.value))
    return false;
  return (
    evidence.isWhole === true ||
    (evidence.units === null && evidence.decimals !== undefined && evidence.decimals !== decimals)
  );
}

/** Whether only one of two measures has a denominator that changes its meaning: `mg/kg`, `km/h`. */
function isRateOfOne(one: Quantity, other: Quantity): boolean {
  if ((one.per === null) === (other.per === null) || one.units === null || other.units === null) return false;
  return isMeasureRate(one) || isMeasureRate(other);
}

/** Whether a quantity of the answer equals a quantity of the evidence. */
export function isSame(stated: Quantity, evidence: Quantity): boolean {
  return !isOtherCurrency(stated, evidence) && isSameAmount(stated, evidence);
}

function isSameAmount(stated: Quantity, evidence: Quantity): boolean {
  if (isRateOfOne(stated, evidence) || isCountOfOne(stated, evidence)) return false;
  if (isOtherCode(stated, evidence) || isOtherVersion(stated, evidence)) return false;
  if (evidence.isNumerator === true && stated.per !== null) return false;
  if (
    stated.isRelease === true &&
    (evidence.units !== null || evidence.isCount === true || evidence.isPart === true)
  )
    return false;
  if (evidence.isPrice === true && stated.units?.some(({ dimension }) => !isMoney(dimension)) === true)
    return false;
  if ((evidence.isBeforeWord === true || evidence.suffix !== undefined) && isMeasure(stated)) return false;
  if (evidence.isStripped === true || (evidence.isGuess === true && stated.isGuess !== true)) return false;
  if (stated.units === null && stated.per !== null && evidence.per === null && isShareOf(evidence, evidence))
    return false;
  if (!isZero(stated) && !stated.signs.some((sign) => evidence.signs.includes(sign))) return false;
  if (stated.inSeries === true && evidence.inSeries === true) return false;
  if (stated.per !== null && evidence.per !== null && !isSamePer(stated.per, evidence.per)) {
    const rates = rateKeys(evidence);
    return rateKeys(stated).some((rate) => rates.includes(rate));
  }
  const [unitsOfStated, unitsOfEvidence] = [unitsBeside(stated, evidence), unitsBeside(evidence, stated)];
  if (unitsOfStated !== null && unitsOfEvidence !== null) {
    const keys = baseKeys({ ...evidence, units: unitsOfEvidence });
    return baseKeys({ ...stated, units: unitsOfStated }).some((key) => keys.includes(key));
  }
  if (evidence.isPart === true && stated.units !== null) return false;
  if (stated.isDoubtful === true || evidence.isDoubtful === true) return false;
  const keys = plainKeys(evidence);
  return plainKeys(stated).some((key) => keys.includes(key));
}

/**
 * Returns the units of a quantity. If the quantity has none and `other` has, returns the units that the capital letter after the number may
 * mean.
 */
function unitsBeside({ units, letterUnits }: Quantity, other: Quantity): readonly Unit[] | null {
  return units ?? (other.units === null ? null : (letterUnits ?? null));
}

/** Returns keys of the numbers that a text can have instead of a quantity: 45 and 0.45 for `45%`, 99 and 0.99 for `99 cents`. */
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
 * Whether two series have equal numbers in the same order.
 * @param isAlike compares two numbers
 */
export function isSameSeries(stated: Series, evidence: Series, isAlike = isSame): boolean {
  return (
    stated.parts.length === evidence.parts.length &&
    stated.parts.every((part, at) => {
      const other = evidence.parts[at];
      return other !== undefined && isAlike(part, other);
    })
  );
}
