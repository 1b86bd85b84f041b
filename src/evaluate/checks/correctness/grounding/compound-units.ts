import { unitsOf } from "./units.ts";

const firstWords = new Set(
  "in mph kmh kph mps kn kt kts knot knots kbps mbps gbps fl fluid nautical pour por per parts beats points puntos degree degrees deg square sq cubic percentage basis british pounds us u american canadian australian swiss".split(
    " ",
  ),
);

/** Whether a unit can begin with the word. */
export function isUnitStart(word: string): boolean {
  return unitsOf(word) !== undefined || firstWords.has(word.toLowerCase());
}

/** Words of several parts, as the one word that means the same. */
export const longUnits: readonly (readonly [RegExp, string])[] = [
  [/ ?(?:degrees?|°|deg) ?(?:celsius|centigrade|C)(?!\p{L})/iuy, "°C"],
  [/ ?(?:degrees?|°|deg) ?(?:fahrenheit|F)(?!\p{L})/iuy, "°F"],
  [/[ -]?(?:square|sq\.?)[ -](?:meters?|metres?|m)(?!\p{L})/iuy, "m^2"],
  [/[ -]?(?:square|sq\.?)[ -](?:kilometers?|kilometres?|km)(?!\p{L})/iuy, "km^2"],
  [/[ -]?(?:square|sq\.?)[ -](?:foot|feet|ft)(?!\p{L})/iuy, "sqft"],
  [/[ -]?cubic[ -](?:meters?|metres?|m)(?!\p{L})/iuy, "m^3"],
  [/[ -]?(?:percentage points?|points? de pourcentage|puntos? porcentual(?:es)?)(?!\p{L})/iuy, "pp"],
  [/ (?:pour cent|por cien(?:to)?|per cento?)(?!\p{L})/iuy, "%"],
  [/ parts per million(?!\p{L})/iuy, "ppm"],
  [/ beats (?:per|a) minute(?!\p{L})/iuy, "bpm"],
  [/ ?(?:nautical miles?)(?!\p{L})/iuy, "nmi"],
  [/[ -]?(?:basis points?|points? de base|puntos? básicos?)(?!\p{L})/iuy, "bps"],
  [/[ -]?(?:british pounds?|pounds sterling)(?!\p{L})/iuy, "GBP"],
  [/[ -]?(?:US|U\.S\.|American)[ -]dollars?(?!\p{L})/uy, "USD"],
  [/[ -]?(?:Canadian)[ -]dollars?(?!\p{L})/uy, "CAD"],
  [/[ -]?(?:Australian)[ -]dollars?(?!\p{L})/uy, "AUD"],
  [/[ -]?(?:Swiss)[ -]francs?(?!\p{L})/uy, "CHF"],
];

/** Units with the time they are per in one word. */
export const speeds: readonly (readonly [RegExp, unit: string, per: string])[] = [
  [/ ?mph(?!\p{L})/iuy, "miles", "hour"],
  [/ ?(?:kmh|kph)(?!\p{L})/iuy, "km", "hour"],
  [/ ?mps(?!\p{L})/iuy, "m", "second"],
  [/ ?(?:kn|kts?|knots?)(?!\p{L})/uy, "nmi", "hour"],
  [/ ?[kK]Bps(?!\p{L})/uy, "kB", "second"],
  [/ ?MBps(?!\p{L})/uy, "MB", "second"],
  [/ ?GBps(?!\p{L})/uy, "GB", "second"],
  [/ ?kbps(?!\p{L})/iuy, "kbit", "second"],
  [/ ?mbps(?!\p{L})/iuy, "Mbit", "second"],
  [/ ?gbps(?!\p{L})/iuy, "Gbit", "second"],
];

/** `square metre` → `m^2`; undefined when the words are no unit. */
export function compoundUnit(words: string): string | undefined {
  const text = ` ${words}`;
  return longUnits.find(([pattern]) => {
    pattern.lastIndex = 0;
    return pattern.exec(text)?.[0].length === text.length;
  })?.[1];
}
