import { type Decimal, decimal, keyOf, times } from "./decimal.ts";
import { byWord } from "./sticky.ts";
import { isMoney, type Unit, unitsOf } from "./units.ts";

const one = decimal("1");

/** Denominator `m`, which can be a minute or a metre. */
const MINUTE_OR_METRE = "m";

/** Whether two denominators can mean the same: `63 g/m` and `63 g per metre`. */
export function isSamePer(one: string, other: string): boolean {
  if (one === other) return true;
  const known = one === MINUTE_OR_METRE ? other : other === MINUTE_OR_METRE ? one : undefined;
  return known === perOf("minute") || known === perOf("metre");
}

/**
 * Returns the normal form of the denominator after `per`. Units become their dimension and factor; other words become singular.
 * @param count number before the word, as in `per 8 hours`
 */
export function perOf(word: string, count = one): string {
  if (word === MINUTE_OR_METRE && keyOf(count) === keyOf(one)) return word;
  const units = unitsOf(word);
  const time = units?.find(({ dimension }) => dimension === "time" || dimension === "months");
  const measure = time ?? units?.find(({ dimension }) => !isMoney(dimension));
  if (measure !== undefined) return `${measure.dimension} ${keyOf(times(measure.factor, count))}`;
  const lower = word.toLowerCase();
  const same = sameWords.get(lower);
  if (same !== undefined) return same;
  return lower.length > 3 && lower.endsWith("s") ? lower.slice(0, -1) : lower;
}

/** Common denominators of prices in other languages, and their English words. */
const sameWords: ReadonlyMap<string, string> = byWord([
  ["quarter", "quartal trimestre trimester kwartaal"],
  ["person", "personen personne personnes persona personas pessoa pessoas persoon"],
  ["night", "nacht nuit noche notte noite"],
  ["piece", "stück pièce pieza pezzo peça stuk"],
  ["user", "nutzer benutzer utilisateur usuario utente usuário gebruiker"],
  ["family", "familie famille familia famiglia família families"],
]);

interface Rate {
  readonly value: Decimal;
  readonly units: readonly Unit[] | null;
  readonly per: string | null;
}

const HOUR = 3600n;

/**
 * Returns the keys of a rate in base units, as a reduced fraction: 72 km/h and 20 m/s share a key. Rates of money, and rates per more than
 * an hour, have no key: a price per year need not be twelve times the price per month.
 */
export function rateKeys({ value, units, per }: Rate): readonly string[] {
  const [, dimension = "", digits = "", exponent = "0"] = /^(.+) (\d+)e(-?\d+)$/.exec(per ?? "") ?? [];
  if (digits === "" || dimension === "months") return [];
  const below: Decimal = { digits: BigInt(digits), exponent: Number(exponent) };
  if (dimension === "time" && below.exponent >= 0 && below.digits * 10n ** BigInt(below.exponent) > HOUR)
    return [];
  return (units ?? []).flatMap((unit) =>
    isMoney(unit.dimension)
      ? []
      : [`${unit.dimension}/${dimension} ${fraction(times(value, unit.factor), below)}`],
  );
}

/**
 * Whether a quantity is a rate per another measure (`mg/kg`) or per a time of up to an hour (`km/h`). Prices, and rates per longer times,
 * are excluded, because texts often omit the period of such a rate.
 */
export function isMeasureRate({ units, per }: Pick<Rate, "units" | "per">): boolean {
  if (per === null || units === null || units.some(({ dimension }) => isMoney(dimension))) return false;
  const [, dimension, digits = "", exponent = "0"] = /^(.+?) (\d+)e(-?\d+)/.exec(per) ?? [];
  if (dimension === undefined) return per === MINUTE_OR_METRE || /\^[23]$/.test(per);
  if (dimension === "months") return false;
  return dimension !== "time" || Number(`${digits}e${exponent}`) <= Number(HOUR);
}

function fraction(above: Decimal, below: Decimal): string {
  const shift = above.exponent - below.exponent;
  const [one, other] =
    shift >= 0
      ? [above.digits * 10n ** BigInt(shift), below.digits]
      : [above.digits, below.digits * 10n ** BigInt(-shift)];
  const divisor = commonDivisor(one, other);
  return `${one / divisor}:${other / divisor}`;
}

function commonDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one, other];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
