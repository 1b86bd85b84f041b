import { isArray, isObject, type JsonValue, parseJson, textOrJson } from "../../../../model/json.ts";
import { remembered } from "../../../../support/structures/bounded-memo.ts";
import { partsOfUrl } from "./addresses.ts";
import { type DateOrder, dateOrderIn } from "./dates.ts";
import { decimal, isLess, times } from "./decimal.ts";
import { isCountField, nounOfField, nounsCountedIn } from "./counted-nouns.ts";
import { fieldUnits, MINOR, SHARE, type UnitOfField } from "./field-units.ts";
import { groupedCodes } from "./grouped-codes.ts";
import { KnownValues } from "./known-values.ts";
import { LostValues } from "./lost-values.ts";
import type { Meaning, Quantity } from "./meaning.ts";
import { type DecimalMarks, decimalMarksIn } from "./numerals.ts";
import { numberWordsAsDigits } from "./number-words.ts";
import { plainText } from "./plain-text.ts";
import { romanNumbersIn } from "./roman-numerals.ts";
import { valuesIn } from "./read-values.ts";
import type { TextValue } from "./reading.ts";
import { foreignWordsAsDigits } from "./worded-quantities.ts";
import { clockOfField, spreadValues, zoneOfField } from "./spread-values.ts";
import { minorUnitOf, unitsOf } from "./units.ts";

/** Words in a field's name that mark a Unix time, such as `created`. */
const timeWords: ReadonlySet<string> = new Set(
  (
    "at timestamp timestamps time ts date datetime epoch unix created updated modified expires expiry expiration expired deadline due exp iat nbf " +
    "started finished published since until when day"
  ).split(" "),
);
/** Matches field names whose number is no Unix time, such as durations and counts. */
const spans =
  /duration|elapsed|latency|timeout|interval|uptime|total|response|processing|count|amount|price|id$/i;

/**
 * Units per second of Unix times: seconds, milliseconds, microseconds, nanoseconds. The size of the number shows the unit, because only
 * times between the years 1973 and 2099 are accepted.
 */
const perSecond = [1, 1e3, 1e6, 1e9];
const FIRST_SECOND = 1e8;
const LAST_SECOND = 4_102_444_800;

const field =
  /([\p{L}_]{1,40})["']?(?: ?[:=] ?| )["']?(\d{9,10}|\d{12,13}|\d{15,16}|\d{18,19})(?![\p{L}\p{N}]|[.,]\p{N})/gu;

const LEAST_ROWS = 2;
/** Matches the space between status and size in a line of an access log: `"GET / HTTP/1.1" 401 199`. */
const statusAndSize = /(?<= HTTP\/\d(?:\.\d)?" \d{3}) (?=\d)/g;
const commaOrQuoted = /"(?:[^"]|"")*"|,/g;

/** Values of the query, tool results and retrievals, against which values of an answer are compared. */
export class GroundingEvidence {
  readonly #values = new KnownValues();
  readonly #lost = new LostValues();
  readonly #counted = new Set<string>();
  /** Order of day and month in numeric dates of the source that `add` currently reads. */
  #order: DateOrder | undefined;

  add(value: JsonValue | undefined): void {
    if (value === undefined) return;
    this.#order = dateOrderIn(textOrJson(value));
    this.#add(value, "", undefined);
  }

  /**
   * Whether the evidence contains the value in any form. Also true for a number word before a noun that has no number in the evidence, as
   * in `three options`.
   */
  grounds(value: TextValue): boolean {
    const { counted } = value;
    return (counted !== undefined && !this.#counted.has(counted)) || this.#values.has(value);
  }

  /** Whether the value may be where the evidence has lost characters: `18 May` for the evidence `1█ May`. */
  mayGround(value: TextValue): boolean {
    return this.#lost.mayHold(value);
  }

  /** Whether the evidence contains the number with another unit, denominator or number of decimals, so that the value may be the same. */
  mayMean(value: TextValue): boolean {
    return this.#values.mayHave(value);
  }

  #add(value: JsonValue, label: string, units: UnitOfField | undefined): void {
    if (isArray(value)) for (const item of value) this.#add(item, label, units);
    else if (isObject(value)) {
      const unitOf = fieldUnits(value, units, label);
      for (const [key, item] of Object.entries(value)) {
        this.#read(key, "", undefined);
        this.#add(item, key, unitOf);
      }
      for (const text of spreadValues(value)) this.#read(text, "", undefined);
    } else if (typeof value === "number") this.#addNumber(value, label, units);
    else if (typeof value === "string") this.#addText(value, label, units);
  }

  #addNumber(value: number, label: string, units: UnitOfField | undefined): void {
    const noun = Number.isInteger(value) ? nounOfField(label) : undefined;
    if (noun !== undefined) this.#counted.add(noun);
    const written = String(value);
    this.#read(written, label, units, true);
    // Adds the number without its floating-point error, too: 0.3 for 0.30000000000000004.
    if (written.length > 16) this.#read(String(Number(value.toPrecision(15))), label, units, true);
  }

  #addText(written: string, label: string, units: UnitOfField | undefined): void {
    // A text that is only an amount in parentheses is a negative amount, as in bookkeeping: `($12.50)`.
    const text = written
      .replace(/^\s*\(((?:\p{Sc}|[A-Z]{3} ?)?\d[\d.,' ]{0,30}(?:\p{Sc}|[A-Z]{3})?)\)\s*$/u, "-$1")
      .replace(onlyMinus, "-");
    const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
    if (parsed !== undefined && typeof parsed === "object") this.#add(parsed, label, units);
    else this.#read(text, label, units);
  }

  #read(text: string, label: string, units: UnitOfField | undefined, isNumber = false): void {
    const unit = units?.(label);
    for (const noun of nounsCountedIn(text)) this.#counted.add(noun);
    for (const value of evidenceValues(text, label, unit, this.#order, isNumber ? POINT : undefined))
      this.#values.add(
        isNumber
          ? withQuantities(value, (number) => ({
              ...number,
              decimals: undefined,
              isWhole: undefined,
              ...(number.units === null && isCountField(label) ? { isCount: true } : {}),
            }))
          : value,
      );
    const order = this.#order;
    this.#lost.add(plainText(text), (filled) => evidenceValues(filled, label, unit, order));
  }
}

/**
 * Matches the minus sign and space before a value, if the text has nothing else: `- 5 °C`. In `- 5 eggs`, the dash begins an item of a
 * list.
 */
const onlyMinus =
  /^\s*[-\u2013\u2212]\s(?=(?:\p{Sc} ?)?\d[\d.,']{0,20}\s?(?:°\s?\p{L}?|%|\p{Sc}|[A-Z]{3})?\s*$)/u;

const POINT: DecimalMarks = { commaDecimals: false, pointDecimals: true };

/**
 * Matches the second measure of a rate: `8 hours` in `0.5 g every 8 hours`, `5 ml` in `120 mg/5 ml`. The second measure alone is evidence,
 * too.
 */
const measureOfRate =
  /(?: (?:per|every|each|pro|alle|cada|chaque|toutes les) |(?<=\p{L}) ?\/ ?)(\d{1,5} ?\p{L}{1,20})(?!\p{L})/giu;

const MEASURE_REACH = 24;

/** Yields the values of a text of the evidence, in all readings. One text can yield a value several times. */
function* evidenceValues(
  text: string,
  label: string,
  unit: string | undefined,
  order: DateOrder | undefined,
  marks = decimalMarksIn(text),
): Generator<TextValue> {
  const plain = withUnitsOfLabels(plainText(withColumns(text)));
  const spelled = numberWordsAsDigits(foreignWordsAsDigits(plain));
  for (const form of spelled === plain ? [plain] : [plain, spelled]) {
    for (const value of valuesIn(form, label, order, marks)) {
      yield unit === undefined ? value : inUnit(value, unit);
      if (value.kind === "url") yield* partsOfLink(value.text);
      yield* furtherValues(value);
    }
    for (const { index, 1: measure = "" } of form.matchAll(measureOfRate)) {
      yield* valuesIn(measure);
      for (const value of valuesIn(form.slice(Math.max(0, index - MEASURE_REACH), index)))
        yield withQuantities(value, (quantity) => ({ ...quantity, isNumerator: true }));
    }
  }
  for (const number of romanNumbersIn(plain)) yield* valuesIn(String(number));
  for (const [, digits = ""] of plain.matchAll(extension)) yield* valuesIn(digits);
  for (const [, line = "", column = ""] of plain.matchAll(position)) yield* valuesIn(`${line} ${column}`);
  for (const { 1: key = "", 2: number = "" } of plain.matchAll(fieldInText)) {
    const clock = clockOfField(key, number);
    if (clock !== undefined) yield* valuesIn(clock);
    const unitOfKey = fieldUnits({}, undefined)(key);
    if (unitOfKey !== undefined)
      for (const value of valuesIn(number, key, order, marks)) yield inUnit(value, unitOfKey);
  }
  for (const [first = ""] of plain.matchAll(postcode)) yield* valuesIn(first.replace(" ", ""));
  for (const codes of groupedCodes(plain)) yield asCodes(codes.map(({ key }) => key));
  yield* zonesOfStamps(plain);
  const named = [clockOfField, zoneOfField, epochOfField].flatMap((read) => read(label, text) ?? []);
  for (const meant of [...named, ...epochsIn(plain)]) yield* valuesIn(meant);
}

/** Matches the extension of a telephone number, such as `Durchwahl -314`. */
const extension = /(?<!\p{L})(?:durchwahl|dw|ext(?:ension)?|apparat)\b[^\d\n.;]{0,20}-(\d{1,5})(?!\d)/giu;
/** Matches a position with line and column, such as `(9,3)`. */
const position = /(?<=\p{L})\((\d{1,6}),(\d{1,6})\)/gu;
/** Matches a field of a log or configuration, such as `session_timeout_minutes: 90`. */
const fieldInText =
  /(?<![\w.-])([A-Za-z][\w.-]{2,60}) ?[:=] ?(-?\d[\d.,]{0,20})(?![\w%.,]|\d|\+? ?[\p{L}\p{Sc}°%])/gu;
/** Matches a postcode in two groups before a town, such as `114 51 Stockholm`. */
const postcode = /(?<![\p{L}\p{N}.:/-])(?<!\d,? )\d{3} \d{2}(?= \p{Lu}\p{Ll})/gu;
const offsetOfStamp = /T\d{2}:?\d{2}(?::?\d{2})?(?:\.\d{1,9})?([+-]\d{2}:?\d{2})/g;

/** Yields the time zones of time stamps: `UTC-5` for `2026-04-02T16:20:00-05:00`. */
function* zonesOfStamps(text: string): Generator<TextValue> {
  for (const [, offset = ""] of text.matchAll(offsetOfStamp)) yield* valuesIn(`UTC${offset}`);
}

const nameInCode = /(?<=\p{Ll})\p{Lu}{2,6}\d{1,4}$/u;
const versionInCode =
  /(?<=[\p{L}_]-?)(?<![\d.])\d+(?:\.\d+)+(?!-\p{L}|\.?\d)|^\d+(?:\.\d+){1,4}(?=-\d+\p{L})/gu;
/** Matches several numbers of a table row, with commas between them, which are not one number: `63.18,1204.77`. */
const columns = /^\d+(?:\.\d+)?(?:,-?\d+(?:\.\d+)?)+$/;
/** Matches the ordinals `3º` and `3ª`, whose marks are letters in a plain text, and `3e` and `1er`. */
const romanceOrdinal = /^(\d{1,3})(?:o|a|e|er|ère|ème)$/i;
const hourAlone = /^(\d{1,2}) ?h$/i;

/**
 * Yields values inside another value: the version in `cuda_12.4` and `8.0.39-0ubuntu1`, the hour of `14h`, the text `IPv6` for an IPv6
 * address.
 */
function* furtherValues({ kind, text }: TextValue): Generator<TextValue> {
  if (/^[\da-f]*:[\da-f:]*:[\da-f]*$/i.test(text)) yield* valuesIn("IPv6");
  if (kind === null && columns.test(text)) yield* valuesIn(text.replaceAll(",", " | "));
  if (kind === "id") for (const [version] of text.matchAll(versionInCode)) yield* valuesIn(`v${version}`);
  const name = nameInCode.exec(text)?.[0];
  if (name !== undefined) yield* valuesIn(name);
  const nth = romanceOrdinal.exec(text)?.[1];
  if (nth !== undefined) yield* valuesIn(nth);
  const hour = hourAlone.exec(text)?.[1];
  if (hour !== undefined) yield* valuesIn(`${hour.padStart(2, "0")}:00`);
}

/** Yields the values in host, path and parameters of a URL. Numbers in a URL are parts of a code, not amounts. */
function* partsOfLink(link: string): Generator<TextValue> {
  const { shorter, text } = partsOfUrl(link);
  yield { kind: "url", text: link, readings: [shorter.map((key) => ({ is: "address", key }))] };
  for (const value of valuesIn(text)) yield withQuantities(value, (part) => ({ ...part, isPart: true }));
}

// A number with a unit of its own, such as `5 €` and `5+ €`, does not get the unit of its label.
const labelled =
  /\(([\p{L}%°]{1,8}|\p{Sc})\)(\s*[:=|]\s*[-+]?\d[\d.,]{0,20})(?![\d.,]|\+?\s?[\p{L}%°\p{Sc}])/gu;

const labelOfUnit =
  /(?<![\p{L}\d?&/._-])(\p{L}{2,12}|%)((?: per | pro |\/)\p{L}{1,12})?(\s*[:=|]\s*[-+]?\d[\d.,]{0,20})(?![\d.,:/-]|\+?\s?[\p{L}%°\p{Sc}])/gu;

/** Moves the unit in a label behind the number: `Weight (kg): 2.5` becomes `Weight: 2.5 kg`. */
function withUnitsOfLabels(text: string): string {
  return text
    .replace(labelled, (whole, unit: string, number: string) =>
      unitsOf(unit) === undefined ? whole : `${number} ${unit}`,
    )
    .replace(labelOfUnit, (whole, unit: string, per = "", number: string) =>
      unitsOf(unit) === undefined ? whole : `${number} ${unit}${per}`,
    );
}

function asCodes(keys: readonly string[]): TextValue {
  const digits = keys.filter((key) => /^\d{7,12}$/.test(key));
  const readings: readonly (readonly Meaning[])[] = [
    keys.map((key) => ({ is: "code", key })),
    digits.map((key) => ({ is: "digits", digits: key, isPhone: false })),
  ];
  return { kind: "id", text: "", readings };
}

function withQuantities(value: TextValue, change: (quantity: Quantity) => Quantity): TextValue {
  const readings = value.readings.map((reading) =>
    reading.map((meaning) => (meaning.is === "quantity" ? change(meaning) : meaning)),
  );
  return { ...value, readings };
}

/** Returns one unit as a quantity, such as 1 kg for `kg`. A unit can be a rate: `kmh` is kilometres per hour. */
const unitAlone = remembered((unit: string): Pick<Quantity, "value" | "units" | "per"> => {
  if (unit.startsWith(MINOR)) return { value: one, units: minorUnitOf(unit.slice(MINOR.length)), per: null };
  const [alone] = valuesIn(`1 ${unit}`);
  const read = alone?.readings[0]?.find((meaning) => meaning.is === "quantity");
  const { value, units, per } = read ?? { value: one, units: null, per: null };
  return { value: units === null ? one : value, units: units ?? unitsOf(unit) ?? null, per };
});

const hundred = decimal("100");
const one = decimal("1");

/** Gives a value without a unit the unit of its field. The unit is in the field's name or in another field of the object. */
function inUnit(value: TextValue, unit: string): TextValue {
  return withQuantities(value, (quantity) => {
    if (quantity.units !== null) return quantity;
    if (unit === SHARE)
      return isLess(one, quantity.value)
        ? quantity
        : { ...quantity, units: [{ dimension: "%", factor: hundred }] };
    const { value: scale, units, per } = unitAlone(unit);
    return { ...quantity, value: times(quantity.value, scale), units, per: quantity.per ?? per };
  });
}

/**
 * Separates columns of access logs and comma-separated tables with ` | `, because `3,24.95` in a table row is two values. A text is a table
 * if its first row has no digit and all rows have equally many columns. Rows are lines, or parts between semicolons if the text is one
 * line.
 */
function withColumns(written: string): string {
  const text = written.replace(statusAndSize, " | ");
  const trimmed = text.trim();
  const end = trimmed.includes("\n") ? "\n" : ";";
  const lines = trimmed.split(end);
  const [head = ""] = lines;
  if (lines.length < LEAST_ROWS || !head.includes(",") || /\d|, /.test(head)) return text;
  const columns = commasIn(head);
  return lines.every((line) => commasIn(line) === columns)
    ? lines.map((line) => line.replace(commaOrQuoted, (part) => (part === "," ? " | " : part))).join(end)
    : text;
}

function commasIn(line: string): number {
  return (line.match(commaOrQuoted) ?? []).filter((part) => part === ",").length;
}

/**
 * Returns the UTC time (ISO 8601) of a Unix time in a field such as `created_at`. Undefined if the name or the number is not that of a
 * time.
 */
function epochOfField(label: string, written: string): string | undefined {
  if (!/^\d{9,19}(?:\.\d{1,9})?$/.test(written) || !isNamedLikeTime(label)) return undefined;
  const value = Number(written);
  const scale = perSecond.find((size) => value >= FIRST_SECOND * size && value < LAST_SECOND * size);
  return scale === undefined
    ? undefined
    : new Date(Math.floor(value / scale) * 1000).toISOString().slice(0, 19);
}

function isNamedLikeTime(label: string): boolean {
  const words = label.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).map((word) => word.toLowerCase());
  return !spans.test(label) && words.some((word) => timeWords.has(word));
}

/** Returns the UTC times (ISO 8601) of Unix times in fields within a text, such as `created_at=1741521600`. */
function epochsIn(text: string): readonly string[] {
  if (!/\d{9}/.test(text)) return [];
  return [...text.matchAll(field)].flatMap(
    ([, label = "", digits = ""]) => epochOfField(label, digits) ?? [],
  );
}
