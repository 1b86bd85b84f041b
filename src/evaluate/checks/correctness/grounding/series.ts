import { isLess, quotient, times } from "./decimal.ts";
import type { Meaning, Quantity } from "./meaning.ts";
import { quantityAt, type ReadQuantity } from "./quantities.ts";
import type { Surroundings } from "./reading.ts";

/** Matches the words between the numbers of `4 out of 5` and `9 von 10`. */
const OF = / (?:out of|of|von|sur|de cada|su|van de) /uy;
/** Matches the word between the numbers of `4 in 5`. An amount with a unit is not a share: `€20 in 14 payments`. */
const IN = / (?:in|in every) /uy;
const connectors: readonly RegExp[] = [
  /-/uy,
  /-(?:in|of)-/uy,
  / - | to | bis | à | al? | hasta | até | tot | through | until | до /uy,
  OF,
  IN,
  /\//uy,
  /\.{2,3}(?=\d)/uy,
  /:/uy,
  / ?x ?(?=\d)/uy,
];
const and = / (?:and|und|et|[ye]|en) /uy;
const MOST_PARTS = 6;
const FRACTION = /^(?:1\/2|[12]\/3|[13]\/4|[1357]\/8|(?:[13579]|1[135])\/16)$/;

/**
 * Returns the series of numbers at a position of a plain text: `10-15 days`, `between 10 and 15`, `3:1`, `24/7`, `10 x 20 cm`. The first
 * reading is the series as a whole, the second is each number alone, and the third is the value of a quotient such as `4 out of 5`.
 * Undefined if only one number is at the position.
 */
export function seriesAt(
  around: Surroundings,
  at: number,
  word: string,
): { readonly end: number; readonly readings: readonly (readonly Meaning[])[] } | undefined {
  const first = quantityAt(around, at);
  if (first === undefined) return undefined;
  for (const connector of /^(?:between|zwischen|entre|tra|fra|tussen)$/i.test(word)
    ? [and, ...connectors]
    : connectors) {
    const parts = partsAt(around, first, connector);
    const read = parts.length > 1 ? readSeries(parts, connector) : undefined;
    if (read !== undefined) return read;
  }
  return undefined;
}

function partsAt(around: Surroundings, first: ReadQuantity, connector: RegExp): readonly ReadQuantity[] {
  const parts = [first];
  let last = first;
  while (parts.length < MOST_PARTS) {
    connector.lastIndex = last.end;
    if (connector === IN && !last.isBare) break;
    if (!connector.test(around.text)) break;
    const next = quantityAt(around, connector.lastIndex);
    if (next === undefined) break;
    parts.push(next);
    last = next;
  }
  return parts;
}

/** Returns the readings of a series. `48.000-56.000` has two readings, because each number has two possible values. */
function readSeries(read: readonly ReadQuantity[], connector: RegExp): ReturnType<typeof seriesAt> {
  const found = [0, 1].flatMap((nth) =>
    nth > 0 && read.every(({ quantities }) => quantities.length <= nth)
      ? []
      : (readParts(read, connector, nth) ?? []),
  );
  const [first] = found;
  return first && { end: first.end, readings: found.flatMap(({ readings }) => readings) };
}

/** Returns the readings of a series in which each number has its `nth` possible value. */
function readParts(
  read: readonly ReadQuantity[],
  connector: RegExp,
  nth: number,
): ReturnType<typeof seriesAt> {
  const parts = shareUnits(read, nth);
  const [first, second] = parts;
  const end = read.at(-1)?.end;
  if (first === undefined || second === undefined || end === undefined) return undefined;
  if (parts.length !== read.length || !isOneDimension(parts)) return undefined;
  // `10 - 5` with spaces is two numbers and a dash, not a range.
  if (/^(?: - |\\\.)/.test(connector.source) && !isLess(first.value, second.value)) return undefined;
  const readings: (readonly Meaning[])[] = [
    [{ is: "series", parts }],
    parts.map((part): Quantity => ({ ...part, inSeries: true })),
  ];
  const value =
    (connector === OF || connector === IN || connector.source === String.raw`\/`) &&
    parts.length === 2 &&
    quotient(first.value, second.value);
  if (value) readings.push([{ ...second, value, isCount: false, isWhole: false, isBeforeWord: false }]);
  const digits = read.map((part) => part.digits);
  // `3/4 cup` does not state amounts of 3 and 4.
  if (value && second.units !== null && FRACTION.test(digits.join("/"))) readings.splice(0, 2);
  if (connector.source === "-" && digits.length === 2 && digits.every((one) => /^\d{3,}$/.test(one)))
    readings.push([{ is: "digits", digits: digits.join(""), isPhone: true }]);
  return { end, readings };
}

/** Gives the numbers of a series a common unit, rate and scale, if only one number has them: `10-15 kg`, `$10-20`, `5-10k`. */
function shareUnits(read: readonly ReadQuantity[], nth: number): readonly Quantity[] {
  const meant = ({ quantities }: ReadQuantity): Quantity | undefined => quantities[nth] ?? quantities[0];
  const last = read.at(-1);
  const [scale, ends] = [last?.scale, last && meant(last)];
  const parts = read.map((part) => {
    const { scale: own } = part;
    const first = meant(part);
    if (first === undefined || own !== undefined || scale === undefined) return first;
    const scaled = { ...first, value: times(first.value, scale) };
    // In `$1-5 million`, the scale applies to both numbers; in `$500-1 million`, only to the second.
    return part.isBare || (ends !== undefined && isLess(scaled.value, ends.value)) ? scaled : first;
  });
  const withUnits = parts.find((part) => part !== undefined && part.units !== null);
  return parts.flatMap((part) =>
    part === undefined
      ? []
      : [{ ...part, units: part.units ?? withUnits?.units ?? null, per: part.per ?? ends?.per ?? null }],
  );
}

function isOneDimension(parts: readonly Quantity[]): boolean {
  const [first] = parts;
  return parts.every(
    ({ units }) =>
      units === null ||
      first?.units === null ||
      first?.units.some(({ dimension }) => units.some((unit) => unit.dimension === dimension)),
  );
}
