import { decimal, isLess, plus, times } from "./decimal.ts";
import type { Meaning } from "./meaning.ts";
import { quantityAt, type ReadQuantity, type Surroundings } from "./quantities.ts";
import { match } from "./reading.ts";
import { type Unit, unitsOf } from "./units.ts";

/** A number and smaller ones of its dimension behind it, `1 h 30 min`, `5 dollars and 50 cents`: their sum, or each. */
export function summed(around: Surroundings, first: ReadQuantity): readonly ReadQuantity[] {
  const parts = [first];
  let last = first;
  while (parts.length < 4 && unitsAt(last).length > 0) {
    const gap = match(partGap, around.text, last.end);
    const next = asInches(around, last, quantityAt(around, last.end + (gap?.[0].length ?? 0)));
    if (next === undefined || !isSmallerPart(last, next)) break;
    parts.push(next);
    last = next;
  }
  return parts;
}

/** The 11 of `5'11`. */
function asInches({ text }: Surroundings, feet: ReadQuantity, next?: ReadQuantity): ReadQuantity | undefined {
  if (next?.isBare !== true || text[feet.end - 1] !== "'" || text[feet.end] === " ") return next;
  const units = unitsOf("inch") ?? null;
  return { ...next, quantities: next.quantities.map((quantity) => ({ ...quantity, units })) };
}

const partGap = /(?:,? and|,)? ?/uy;

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

/** The sum of parts that share a dimension, in its base; and each of them. Empty when they share none. */
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
