import { type Decimal, decimal, keyOf, times } from "./decimal.ts";
import type { TimeOfDay } from "./times.ts";
import { isMeasureRate, isSamePer, rateKeys } from "./rates.ts";
import { isCent, type Unit } from "./units.ts";

/** A number with its sign and unit. */
export interface Quantity {
  readonly is: "quantity";
  readonly value: Decimal;
  /** The signs that it can have: `+5` and `rose by 5` are +, `-5` is -, `fell by 5` is - or unsigned, `5` + or unsigned, `±5` any. */
  readonly signs: readonly Sign[];
  /** The signs of evidence with it, where they are others: `33.9° S` is also written as 33.9. */
  readonly toldSigns?: readonly Sign[];
  /** Possible units; null without a unit. */
  readonly units: readonly Unit[] | null;
  /** Units that a capital letter behind it may mean: `50 N` is 50 without a unit, and no 50 Nm. */
  readonly letterUnits?: readonly Unit[];
  /** The denominator of a rate: `month` of `500/month`; null for none. */
  readonly per: string | null;
  /** Whether letters at the number are perhaps no unit: `5B` is compared with what has the unit, too, only. */
  readonly isDoubtful?: boolean;
  /** Whether it is a part of a date or a code, which only a number without a unit can mean. */
  readonly isPart?: boolean;
  /** Whether it is one of several that belong together: `3` of the score `3-1`. Another series is not made of such parts. */
  readonly inSeries?: boolean;
  /** Whether it is written as one: the `9th` may be a day. */
  readonly isOrdinal?: boolean;
  /** Whether it counts what a noun behind it names, as in `15 users`: such a number has no unit. */
  readonly isCount?: boolean;
  /** Capital letters in front of it, as in `AF 1234`: other letters make it another code. */
  readonly prefix?: string;
  /** Capital letters behind it, as in `2500 EJ`. */
  readonly suffix?: string;
  /** Digits behind the point of a number without a unit that may be a version: 7.1 and 7.10 are perhaps two. */
  readonly decimals?: number | undefined;
  /** Whether it is a code without the zeros that begin it. */
  readonly isStripped?: boolean;
  /** Whether it is what the evidence has per something, alone: it is nothing per something else. */
  readonly isNumerator?: boolean;
}
export type Sign = "+" | "-" | "unsigned";
export const unsigned: readonly Sign[] = ["+", "unsigned"];

/** Numbers that belong together: a range, a ratio, a score, measures. */
export interface Series {
  readonly is: "series";
  readonly parts: readonly Quantity[];
}

/** A value read at a position of a text. */
export type Meaning =
  | Quantity
  | Series
  | { readonly is: "code"; readonly key: string }
  | {
      readonly is: "version";
      readonly key: string;
      /** Whether it may as well be a date, whose beginnings are no versions. */
      readonly isWhole?: boolean;
    }
  | { readonly is: "digits"; readonly digits: string; readonly isPhone: boolean }
  | { readonly is: "date"; readonly form: string }
  | ({ readonly is: "time" } & TimeOfDay)
  | { readonly is: "address"; readonly key: string };

/** A number without sign and unit. */
export function plainNumber(digits: string): Quantity {
  return { is: "quantity", value: decimal(digits), signs: unsigned, units: null, per: null };
}

/** Letters and digits of a code in runs: `ORD-4711`, `ord_4711` and `ORD4711` are all `ord-4711`. */
export function codeKey(word: string): string {
  return (word.toLowerCase().match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []).join("-");
}

/** `v3.10.0` → `3.10`; a version is no decimal number: 3.1 is another one. */
export function versionKey(word: string): string {
  return word
    .toLowerCase()
    .replace(/^v\.?/, "")
    .replace(/(?:\.0)+$/, "");
}

/** The value in its unit's base, for each dimension it can have. */
function baseKeys({ value, units }: Quantity): readonly string[] {
  return (units ?? []).map(({ dimension, factor }) => `${dimension} ${keyOf(times(value, factor))}`);
}

/** Everything by which equal quantities are found. */
export function quantityKeys(quantity: Quantity): readonly string[] {
  return [...plainKeys(quantity), ...baseKeys(quantity), ...rateKeys(quantity)];
}

/**
 * Whether a stated quantity may be the one that the evidence has: a measure lacks its denominator on one side (`5 mg`, `5 mg/kg`), a noun
 * stands where the other has a unit (`15 users`, `15 km`), or zeros end one of two numbers that may be versions (`7.1`, `7.10`).
 */
export function isPerhapsSame(stated: Quantity, told: Quantity): boolean {
  // Words of two languages for one thing: `per bottle`, `pro Flasche`.
  const areWords = [stated, told].every(({ per }) => per !== null && /^\p{L}+$/u.test(per));
  const isRate = areWords || ((stated.per === null) !== (told.per === null) && told.isNumerator !== true);
  const isShare = isShareOf(stated, told);
  const [one, other] = [stated, told].map(({ isCount = false, per, ...rest }): Quantity => ({
    ...rest,
    isCount: isCount && isShare,
    decimals: undefined,
    isStripped: false,
    per: isRate ? null : per,
  }));
  return one !== undefined && other !== undefined && isSame(one, other);
}

function isShareOf(one: Quantity, other: Quantity): boolean {
  return [one, other].some(({ units }) => units?.some(({ dimension }) => dimension === "%") === true);
}

/** Whether one counts something, such as users, and the other one has a unit. */
function isCountOfOne(one: Quantity, other: Quantity): boolean {
  return (one.isCount === true && other.units !== null) || (other.isCount === true && one.units !== null);
}

/** Letters in front of a number that name it and are no part of it. */
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

function isOtherVersion(
  { decimals: one, units }: Quantity,
  { decimals: other, units: others }: Quantity,
): boolean {
  return units === null && others === null && one !== undefined && other !== undefined && one !== other;
}

/** Whether only one of two measures has a denominator without which it is another measure: `mg/kg`, `km/h`. */
function isRateOfOne(one: Quantity, other: Quantity): boolean {
  if ((one.per === null) === (other.per === null) || one.units === null || other.units === null) return false;
  return isMeasureRate(one) || isMeasureRate(other);
}

/** Whether a stated quantity is the one that the evidence has. */
export function isSame(stated: Quantity, told: Quantity): boolean {
  if (isRateOfOne(stated, told) || isCountOfOne(stated, told)) return false;
  if (isOtherCode(stated, told) || isOtherVersion(stated, told)) return false;
  if (told.isNumerator === true && stated.per !== null) return false;
  if (told.isStripped === true) return false;
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

/** The units of a quantity; those of the letter behind it if the other one is a measure. */
function unitsBeside({ units, letterUnits }: Quantity, other: Quantity): readonly Unit[] | null {
  return units ?? (other.units === null ? null : (letterUnits ?? null));
}

/** The numbers as which a quantity can be written without its unit: `45%` as 45 and as 0.45, `99 cents` as 99 and as 0.99. */
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

/** Whether two series have the same numbers in the same order. */
export function isSameSeries(stated: Series, told: Series): boolean {
  return (
    stated.parts.length === told.parts.length &&
    stated.parts.every((part, at) => {
      const other = told.parts[at];
      return other !== undefined && isSame(part, other);
    })
  );
}
