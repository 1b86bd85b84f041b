import { decimal, isLess, plus, times } from "./decimal.ts";
import type { Meaning } from "./meaning.ts";
import { quantityAt, type ReadQuantity } from "./quantities.ts";
import { match, type Surroundings } from "./reading.ts";
import { type Unit, unitsOf } from "./units.ts";

/** Returns a number and the following numbers of smaller units of the same dimension: `1 h 30 min`, `5 dollars and 50 cents`. */
export function summed(around: Surroundings, first: ReadQuantity): readonly ReadQuantity[] {
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

const smallerUnits: readonly (readonly [written: RegExp, digits: RegExp, smaller: string])[] = [
  [/'$/, /^\d/, "inch"],
  [/\d ?kg$/, /^ \d{3}$/, "g"],
  [/\d ?m$/, /^ \d{2}$/, "cm"],
  [/\d ?€$/, /^ \d{2}$/, "cents"],
];

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

const partGap = /(?:,? (?:and|und|y|et|en?|con)(?= )|,)? ?/uy;

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

/** Returns two readings: the sum of the parts in their common base unit, and each part. Empty if the parts have no common dimension. */
export function sumOf(parts: readonly ReadQuantity[]): readonly (readonly Meaning[])[] {
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
