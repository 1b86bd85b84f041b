import type { JsonObject, JsonValue } from "../../../../model/json.ts";

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * Returns values that are split over several fields of an object, as texts: `2025-03` for `{ "year": 2025, "month": 3 }`. Finds dates,
 * times of day, versions, telephone numbers and periods.
 */
export function spreadValues(fields: JsonObject): readonly string[] {
  const before =
    Object.keys(fields)
      .find((key) => /_year$/i.test(key))
      ?.slice(0, -"year".length) ?? "";
  const [year, month, day] = ["year", "month", "day"].map(
    (key) => whole(fields, key) ?? whole(fields, key.charAt(0)) ?? whole(fields, `${before}${key}`),
  );
  const [hour, minute] = ["hour", "minute"].map((key) => whole(fields, key));
  const version = ["major", "minor", "patch"].map((key) => whole(fields, key));
  const known = version.slice(0, version[1] === undefined ? 0 : version[2] === undefined ? 2 : 3);
  return [
    year?.length === 4 && month !== undefined
      ? [
          `${year}-${month.padStart(2, "0")}`,
          ...(day === undefined ? [] : [`-${day.padStart(2, "0")}`]),
        ].join("")
      : undefined,
    hour !== undefined && minute !== undefined
      ? `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`
      : undefined,
    known[0] !== undefined ? `v${known.join(".")}` : undefined,
    phoneIn(fields),
    ...periods.map(([key, letter]) => {
      const number = whole(fields, key);
      return number && `${year?.length === 4 ? `${year}-` : ""}${letter}${number}`;
    }),
  ].filter((text) => text !== undefined);
}

const phoneParts = [
  /^(?:cc|country_?code|calling_?code)$/i,
  /^(?:area|area_?code|prefix)$/i,
  /^(?:num|number|local|subscriber|line|phone)$/i,
];

/** Returns a telephone number from separate fields: `{ "cc": "64", "area": "9", "num": "5550137" }`. */
function phoneIn(fields: JsonObject): string | undefined {
  const [country, area, local] = phoneParts.map((named) => {
    const value = fields[Object.keys(fields).find((one) => named.test(one)) ?? ""];
    const digits =
      typeof value === "string" || typeof value === "number" ? String(value).replace(/[\s+()-]/g, "") : "";
    return /^\d{1,12}$/.test(digits) ? digits : undefined;
  });
  if (country === undefined || country.length > 3 || local === undefined || local.length < 5)
    return undefined;
  return `+${country} ${area === undefined ? "" : `${area} `}${local}`;
}

/** Keys of periods of a year, and the letter of each: `{ "year": 2025, "quarter": 2 }` is `2025-Q2`. */
const periods = [
  ["quarter", "Q"],
  ["half", "H"],
] as const;

function whole(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  const written = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return /^\d{1,4}$/.test(written) ? written : undefined;
}

/** Returns the zone of a field with a name such as `tz`: `UTC+05:30` for `{ "tz": "+05:30" }`. Undefined if the field has no zone. */
export function zoneOfField(label: string, text: string): string | undefined {
  return /^(?:tz|time_?zone|utc_?offset|offset|zone)$/i.test(label) && /^[+-]\d{1,2}:?\d{2}$/.test(text)
    ? `UTC${text}`
    : undefined;
}

const ofTime = /slot|open|close|start|end|time|depart|arriv|from|until|check/i;

/**
 * Returns the time of a four-digit field with a name such as `opens`: `09:00` for `{ "opens": "0900" }`. Undefined if the field has no
 * time.
 */
export function clockOfField(label: string, text: string): string | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3])([0-5]\d)$/.exec(text) ?? [];
  return hour !== undefined && ofTime.test(label) ? `${hour}:${minute ?? ""}` : undefined;
}
