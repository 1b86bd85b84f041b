import type { JsonObject } from "../../../../model/json.ts";
import { currencyOf, unitsOf } from "./units.ts";

/** The unit of a field, from its name and the fields beside it; undefined if there is none. */
export type UnitOfField = (key: string) => string | undefined;

/** Words of field names that are units and nothing else: `min` is rather the least, `in` a preposition. */
const unitWords: ReadonlySet<string> = new Set(
  (
    "usd eur gbp jpy inr cny chf cad aud cents euros dollars kg kgs grams lb lbs km kms cm mm meters metres miles feet inches ms millis milliseconds sec secs " +
    "seconds minutes mins hours hrs days weeks months years percent pct celsius fahrenheit kb mb gb tb bytes ml liters litres kwh kcal calories kmh mph"
  ).split(" "),
);
const capitals: ReadonlySet<string> = new Set([
  "usd",
  "eur",
  "gbp",
  "jpy",
  "inr",
  "cny",
  "chf",
  "cad",
  "aud",
]);
const bytes: Readonly<Record<string, string>> = { kb: "KB", mb: "MB", gb: "GB", tb: "TB", kwh: "kWh" };

const money =
  /price|amount|total|cost|fee|value|sum|balance|tax|charge|refund|paid|due|salary|budget|revenue|rate/i;
const measured =
  /value|amount|quantity|measure|weight|size|height|width|length|distance|duration|temp|speed/i;

/** `{ "price_usd": 5 }`, `{ "amount": 5, "currency": "EUR" }` and `{ "value": 5, "unit": "kg" }`. */
export function fieldUnits(fields: JsonObject): UnitOfField {
  const currency = wordBeside(fields, /^currency(?:_?code)?$/i, (word) => currencyOf(word) !== undefined);
  const unit = wordBeside(fields, /^units?$/i, (word) => unitsOf(word) !== undefined);
  return (key) => {
    const last =
      key
        .split(/[_\-. ]+|(?<=\p{Ll})(?=\p{Lu})/u)
        .at(-1)
        ?.toLowerCase() ?? "";
    if (unitWords.has(last)) return capitals.has(last) ? last.toUpperCase() : (bytes[last] ?? last);
    if (currency !== undefined && money.test(key)) return currency;
    return unit !== undefined && measured.test(key) ? unit : undefined;
  };
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
