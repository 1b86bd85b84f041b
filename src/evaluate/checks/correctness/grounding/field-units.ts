import type { JsonObject } from "../../../../model/json.ts";
import { currencyOf, unitsOf } from "./units.ts";

/** Returns the unit of a field by its key; undefined if the field has no unit. */
export type UnitOfField = (key: string) => string | undefined;

/**
 * Words that are a unit whenever a field name ends with them. Excluded are `min`, which often means minimum, and `in`, which is often a
 * preposition.
 */
const unitWords: ReadonlyMap<string, string> = new Map([
  ..."usd eur gbp jpy inr cny chf cad aud".split(" ").map((code) => [code, code.toUpperCase()] as const),
  ...(
    "cents euros dollars kg kgs grams lb lbs km kms cm mm meters metres miles feet inches ms millis milliseconds sec secs seconds " +
    "minutes mins hours hrs days weeks months years percent pct bps celsius fahrenheit bytes ml liters litres kcal calories kmh mph"
  )
    .split(" ")
    .map((word) => [word, word] as const),
  ["kb", "KB"],
  ["mb", "MB"],
  ["gb", "GB"],
  ["tb", "TB"],
  ["wh", "Wh"],
  ["kwh", "kWh"],
  ["mwh", "MWh"],
  ["gwh", "GWh"],
  ["kwp", "kWp"],
  ...["m2", "m3", "sqm", "sqft", "ft2", "km2", "cm2", "cm3"].map((word) => [word, word] as const),
  ["kw", "kW"],
  ["mah", "mAh"],
  ["mhz", "MHz"],
  ["ghz", "GHz"],
  ["kph", "kmh"],
]);

/** Short last words of field names that are units only after a word for a matching quantity: `distance_m`, `duration_min`, `temp_c`. */
const shortUnits: readonly (readonly [of: RegExp, units: Readonly<Record<string, string>>])[] = [
  [
    /duration|time|elapsed|delay|wait|latency|eta|interval|travel|age|ttl/i,
    { s: "s", m: "min", min: "min", h: "h", d: "days" },
  ],
  [
    /distance|length|height|width|depth|altitude|elevation|radius|range|size/i,
    { m: "m", ft: "ft", mi: "miles", in: "inch" },
  ],
  [/weight|mass|dose|load/i, { g: "g", mg: "mg", t: "t", oz: "oz" }],
  [/volume|capacity|amount/i, { l: "l", gal: "gal" }],
  [/temp/i, { c: "°C", f: "°F" }],
  [/power|load/i, { w: "W" }],
  [/voltage|battery/i, { v: "V", mv: "mV" }],
  [/current/i, { a: "A", ma: "mA" }],
  [/speed|velocity|wind|gust/i, { ms: "m/s", mps: "mps", kn: "kn", kt: "kn", kts: "kn", knots: "kn" }],
];

const money =
  /price|amount|total|cost|fee|value|sum|balance|tax|charge|refund|paid|due|salary|budget|revenue|preis|betrag|kosten|gebühr|gebuehr|summe|prix|montant|coût|cout|frais|precio|importe|monto|coste|prezzo|importo|preço|preco|valor/i;
const pricePerUnit =
  /^(?:unit_?)?(?:price|cost|preis|prix|precio|prezzo|preço|preco)_(?:per_)?(?:\w{1,3}|sqm|sqft)$/i;
/** Matches names of rates that are prices, unlike the rates of taxes, interest and errors, which are shares. */
const priceRates = /(?:daily|day|hourly|hour|nightly|night|room|base|monthly|weekly)_?rate$|^rate$/i;
/** Matches names of fields with an amount in hundredths of a currency: `{ "minor_units": 250000, "currency": "EUR" }`. */
const hundredths = /(?:^|_)minor(?:_|$)|minor_?units?/i;
/** Matches a unit and its denominator at the end of a field's name: `glucose_mg_dl`, `speed_km_h`. */
const measureAndPer =
  /_(?:((?:m|µ|u|n|k)?(?:g|mol)|k?m|ml|l|[kMGmg]b)_(?:per_)?(dl|l|ml|kg|m2|m3|h|s)|([mµun]g)(dl|l|ml|kg|m3))$/i;

/** Matches fields that standards define in seconds. */
const seconds = /^(?:(?:s-?)?max-?age|retry[-_]after|expires_in)$/i;

/** Prefix of a unit that is a hundredth of a currency: "hundredths of EUR". */
export const MINOR = "hundredths of ";
/** Unit of a share from 0 to 1: `{ "share": 0.42 }`. */
export const SHARE = "share of one";
const shares =
  /(?:^|[_ ])(?:share|ratio|fraction|proportion|probability|confidence|anteil|part|proporción)$/i;

/** Scales of amounts by word in a field's name: `revenue_musd`, `umsatz_teur`, `budget_mio_eur`, `usd_millions`. */
const scaleWords: ReadonlyMap<string, string> = new Map(
  [
    "thousand k t tsd tds thousand thousands tausend",
    "million m mm mn mio mln million millions millionen",
    "billion bn bln mrd billion billions milliarden",
  ].flatMap((row) => {
    const [scale = "", ...words] = row.split(" ");
    return words.map((word) => [word, scale] as const);
  }),
);
const scaleThenCurrency = new RegExp(`(?:^|_)(?:in_)?(${[...scaleWords.keys()].join("|")})_?([a-z]{3})$`);
const currencyThenScale = new RegExp(`(?:^|_)([a-z]{3})_(?:in_)?(${[...scaleWords.keys()].join("|")})$`);
const scaleAlone = /_(?:in_)?(thousands|millions|billions|mio|mln|mrd|bn)$/;

/** Returns a field's currency with its scale, such as `million USD`; undefined if the name has no scale. */
function scaledCurrency(name: string, currency: string | undefined): string | undefined {
  const [, scale = "", code = ""] = scaleThenCurrency.exec(name) ?? [];
  const [, codeFirst = code, scaleLast = scale] = currencyThenScale.exec(name) ?? [];
  const written = codeFirst === "" ? currency : codeFirst.toUpperCase();
  const word = scaleLast === "" ? scaleAlone.exec(name)?.[1] : scaleLast;
  const known = word === undefined ? undefined : scaleWords.get(word);
  if (known === undefined || written === undefined || currencyOf(written) === undefined) return undefined;
  return `${known} ${written}`;
}

const measured =
  /value|amount|quantity|measure|valor|valeur|wert|menge|result|weight|size|height|width|length|distance|duration|temp|speed/i;

/** Matches fields that inherit the unit of the enclosing object: `{ "dose_mg": { "min": 25, "max": 50 } }`. */
const statistics =
  /^(?:min|max|minimum|maximum|avg|average|mean|median|low|high|lower|upper|from|to|start|end|value|current|actual|target|total|sum|p\d{2,3})$/i;

/**
 * Returns the function that gives the units of an object's fields. A unit can be in the field's name (`{ "price_usd": 5 }`) or in another
 * field (`{ "amount": 5, "currency": "EUR" }`, `{ "value": 5, "unit": "kg" }`). A currency also applies to inner objects. Fields such as
 * `min` and `max` inherit the unit of the field that contains the object.
 * @param outer units of the enclosing object's fields
 * @param label name of the field that contains the object
 */
export function fieldUnits(fields: JsonObject, outer: UnitOfField | undefined, label = ""): UnitOfField {
  const ofObject = outer?.(label) ?? (isPrice(label) ? currencyIn(fields) : undefined);
  const currency = currencyIn(fields);
  // With an exponent of 2, amounts are in hundredths: `{ "amount": 149900, "exponent": 2, "currency": "INR" }`.
  const isMinor = fields["exponent"] === 2 || fields["decimals"] === 2;
  const unit = wordBeside(
    fields,
    /^(?:units?|uom|einheit|unité|unidad|unità|unidade)$/i,
    // For `mmol/L`, the numerator must be a known unit.
    (word) => unitsOf(word.replace(/\/.*$/s, "")) !== undefined,
  );
  return (key) => {
    const words = key.split(/[_\-. ]+|(?<=\p{Ll})(?=\p{Lu})/u);
    const last = words.at(-1)?.toLowerCase() ?? "";
    if (seconds.test(key)) return "s";
    // `wind_speed_ms` is a speed and not a time.
    const [, apart = "", perApart = "", joined = apart, per = perApart] = measureAndPer.exec(key) ?? [];
    const measure = joined.replace(/^u/i, "μ");
    if (measure !== "" && unitsOf(measure) !== undefined) return `${measure}/${per}`;
    if (currency !== undefined && (hundredths.test(key) || (isMinor && isPrice(key))))
      return `${MINOR}${currency}`;
    const scaled = scaledCurrency(words.join("_").toLowerCase(), isPrice(key) ? currency : undefined);
    if (scaled !== undefined) return scaled;
    // `price_kg` and `prix_m2` are prices per unit; their unit is the currency.
    if (pricePerUnit.test(key) && currencyOf(last.toUpperCase()) === undefined) return currency;
    const named = shortUnit(words.slice(0, -1).join(" "), last) ?? unitWords.get(last);
    if (named !== undefined) return named;
    if (isPrice(key) && last.length === 3 && currencyOf(last.toUpperCase()) !== undefined)
      return last.toUpperCase();
    if (shares.test(words.join(" "))) return SHARE;
    if (currency !== undefined && isPrice(key)) return currency;
    if (unit !== undefined && measured.test(key)) return unit;
    if (ofObject !== undefined && statistics.test(key)) return ofObject;
    return isPrice(key) ? outer?.("price") : undefined;
  };
}

function currencyIn(fields: JsonObject): string | undefined {
  return wordBeside(
    fields,
    /^(?:currency(?:_?(?:code|iso))?|ccy|waehrung|währung|devise|moneda|divisa|valuta|moeda)$/i,
    (word) => currencyOf(word) !== undefined,
  );
}

function isPrice(key: string): boolean {
  return priceRates.test(key) || (money.test(key) && !/rate$/i.test(key));
}

function shortUnit(quantity: string, last: string): string | undefined {
  if (quantity === "") return undefined;
  for (const [named, units] of shortUnits)
    if (named.test(quantity) && units[last] !== undefined) return units[last];
  return undefined;
}

function wordBeside(
  fields: JsonObject,
  named: RegExp,
  isUnit: (word: string) => boolean,
): string | undefined {
  for (const [key, value] of Object.entries(fields)) {
    if (!named.test(key) || typeof value !== "string") continue;
    for (const word of [value, value.toUpperCase()]) if (isUnit(word)) return word;
  }
  return undefined;
}
