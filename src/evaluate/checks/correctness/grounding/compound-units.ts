import { unitsOf } from "./units.ts";

const firstWords = new Set(
  (
    "in mph kmh kph mps kn kt kts knot knots nœuds nœud noeuds nudos nodi knoten kbps mbps gbps kmpl mpg fl fluid nautical pour por per parts beats points point puntos punto pontos punti " +
    "degree degrees deg degré degrés grado grados gradi grau graus grad square sq cubic percentage percent basis british pounds us u american canadian " +
    "australian swiss mexican colombian chilean argentine argentinian philippine hong new singapore swedish norwegian danish czech indian pakistani japanese chinese brazilian turkish polish south korean stundenkilometer tr revolutions kilowatt mètres metros metri mètre metro"
  ).split(" "),
);

export function isUnitStart(word: string): boolean {
  return unitsOf(word) !== undefined || firstWords.has(word.toLowerCase());
}

const DEGREES = "(?:degrees?|degrés?|grados?|gradi|graus?|grad|°|deg)";

const nationalCurrencies: readonly (readonly [nation: string, word: string, code: string])[] = [
  ["Mexican", "pesos?", "MXN"],
  ["Colombian", "pesos?", "COP"],
  ["Chilean", "pesos?", "CLP"],
  ["Argentine|Argentinian", "pesos?", "ARS"],
  ["Philippine", "pesos?", "PHP"],
  ["Hong Kong", "dollars?", "HKD"],
  ["New Zealand", "dollars?", "NZD"],
  ["Singapore", "dollars?", "SGD"],
  ["Swedish", "kron(?:a|or)", "SEK"],
  ["Norwegian", "kroner?", "NOK"],
  ["Danish", "kroner?", "DKK"],
  ["Czech", "(?:koruna|korunas|crowns?)", "CZK"],
  ["Indian", "rupees?", "INR"],
  ["Pakistani", "rupees?", "PKR"],
  ["Japanese", "yen", "JPY"],
  ["Chinese", "yuan", "CNY"],
  ["Brazilian", "(?:reais|reals?)", "BRL"],
  ["Turkish", "liras?", "TRY"],
  ["Polish", "(?:zloty|zlotys|złoty)", "PLN"],
  ["South African", "rand", "ZAR"],
  ["South Korean|Korean", "won", "KRW"],
];

/** Patterns of units of several words, each with an equivalent short unit. */
export const longUnits: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw` ?${DEGREES} ?(?:celsius|centigrade|centígrados|C)(?!\p{L})`, "iuy"), "°C"],
  [new RegExp(String.raw` ?${DEGREES} ?(?:fahrenheit|F)(?!\p{L})`, "iuy"), "°F"],
  [/ (?:mètres? carrés?|metros? cuadrados?|metri quadr(?:at)?i|metros? quadrados?)(?!\p{L})/iuy, "m^2"],
  [/ (?:mètres? cubes?|metros? cúbicos?|metri cubi)(?!\p{L})/iuy, "m^3"],
  [/ ?(?:kilowatt[- ]hours?)(?!\p{L})/iuy, "kWh"],
  [/ ?(?:U\/min|tr\/min|revolutions per minute)(?!\p{L})/iuy, "rpm"],
  [/ (?:pour mille|por mil|per mill?e?)(?!\p{L})/iuy, "‰"],
  [/[ -]?(?:square|sq\.?)[ -](?:meters?|metres?|m)(?!\p{L})/iuy, "m^2"],
  [/[ -]?(?:square|sq\.?)[ -](?:kilometers?|kilometres?|km)(?!\p{L})/iuy, "km^2"],
  [/[ -]?(?:square|sq\.?)[ -](?:foot|feet|ft)(?!\p{L})/iuy, "sqft"],
  [/[ -]?cubic[ -](?:meters?|metres?|m)(?!\p{L})/iuy, "m^3"],
  [
    /[ -]?(?:(?:percent(?:age)?|%)[- ]?(?:points?|pts?|punkte?n?)|points? de pourcentage|puntos? porcentual(?:es)?|pontos? percentua(?:l|is)|punt[oi] percentual[ei])(?!\p{L})/iuy,
    "pp",
  ],
  [/ (?:pour ?cent|por cien(?:to)?|por cento|per cento?)(?!\p{L})/iuy, "%"],
  [/ parts per million(?!\p{L})/iuy, "ppm"],
  [/ beats (?:per|a) minute(?!\p{L})/iuy, "bpm"],
  [/ ?(?:nautical miles?)(?!\p{L})/iuy, "nmi"],
  [/[ -]?(?:basis points?|points? de base|puntos? básicos?)(?!\p{L})/iuy, "bps"],
  [/[ -]?(?:british pounds?|pounds sterling)(?!\p{L})/iuy, "GBP"],
  [/[ -]?(?:US|U\.S\.|American)[ -]dollars?(?!\p{L})/uy, "USD"],
  [/[ -]?(?:Canadian)[ -]dollars?(?!\p{L})/uy, "CAD"],
  [/[ -]?(?:Australian)[ -]dollars?(?!\p{L})/uy, "AUD"],
  [/[ -]?(?:Swiss)[ -]francs?(?!\p{L})/uy, "CHF"],
  ...nationalCurrencies.map(
    ([nation, word, code]) => [new RegExp(`[ -](?:${nation})[ -](?:${word})(?!\\p{L})`, "uy"), code] as const,
  ),
];

/** Patterns of words for a unit per time, such as `mph`. */
export const speeds: readonly (readonly [RegExp, unit: string, per: string])[] = [
  [/ ?mph(?!\p{L})/iuy, "miles", "hour"],
  [/ ?stundenkilometern?(?!\p{L})/iuy, "km", "hour"],
  [/ ?(?:kmh|kph)(?!\p{L})/iuy, "km", "hour"],
  [/ ?mps(?!\p{L})/iuy, "m", "second"],
  [/ ?(?:kn|kts?|knots?|n(?:œ|oe)uds?|nudos|nodi|[kK]noten)(?!\p{L})/uy, "nmi", "hour"],
  [/ ?[kK]Bps(?!\p{L})/uy, "kB", "second"],
  [/ ?MBps(?!\p{L})/uy, "MB", "second"],
  [/ ?GBps(?!\p{L})/uy, "GB", "second"],
  [/ ?kbps(?!\p{L})/iuy, "kbit", "second"],
  [/ ?kmpl(?!\p{L})/iuy, "km", "l"],
  [/ ?mpg(?!\p{L})/iuy, "miles", "gallon"],
  [/ ?mbps(?!\p{L})/iuy, "Mbit", "second"],
  [/ ?gbps(?!\p{L})/iuy, "Gbit", "second"],
];

/** Returns the short form of a unit of several words: `m^2` for `square metre`. Undefined if the words are not a unit. */
export function compoundUnit(words: string): string | undefined {
  const text = ` ${words}`;
  return longUnits.find(([pattern]) => {
    pattern.lastIndex = 0;
    return pattern.exec(text)?.[0].length === text.length;
  })?.[1];
}
