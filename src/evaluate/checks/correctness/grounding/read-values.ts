import { addressAt, endpointAt } from "./addresses.ts";
import { periodAt } from "./calendar-periods.ts";
import { isVersioned } from "./context.ts";
import { type DamagedPart, damagedParts, withoutParts } from "./damaged.ts";
import { dateAt, dateOrderIn } from "./dates.ts";
import { digitGroups, longCodes, percentiles, zones } from "./fixed-codes.ts";
import { codeKey, type Meaning, plainNumber, type Quantity, versionOf } from "./meaning.ts";
import { type DecimalMarks, hasCommaDecimals } from "./numerals.ts";
import { numbersAt } from "./read-numbers.ts";
import { found, type Found, type Reader, type State } from "./reading.ts";
import { match } from "./sticky.ts";
import { seriesAt } from "./series.ts";
import { hourRangeAt, timeAt } from "./times.ts";

const start =
  /[\p{L}\p{N}\p{Sc}±]|(?<![\p{L}\p{N})\]%*•]|\d\.)[-+](?=[\p{Sc}\d.])|\.(?=\d)|\+\/-|(?<![\p{L}\p{N}:])::(?=[\da-f])|\((?=(?:0|\d{2,5})\) ?\d)/gu;
const plainWord = /[\p{L}\p{M}]+/uy;

/**
 * Yields all values of a plain text in order, in linear time.
 * @param label key of the field that contains the text
 */
export function* valuesIn(
  text: string,
  label = "",
  order = dateOrderIn(text),
  marks: DecimalMarks = { commaDecimals: hasCommaDecimals(text) },
): Generator<Found> {
  const damaged = damagedParts(text);
  let next = 0;
  for (const value of readableValues({
    ...marks,
    text: withoutParts(text, damaged),
    dateOrder: order,
    word: label,
  })) {
    for (; (damaged[next]?.start ?? Infinity) < value.end; next++) yield* damagedValue(text, damaged[next]);
    yield value;
  }
  for (; next < damaged.length; next++) yield* damagedValue(text, damaged[next]);
}

function damagedValue(text: string, part: DamagedPart | undefined): readonly Found[] {
  return part === undefined ? [] : [found(null, text, part.start, part.end, [])];
}

function* readableValues(whole: State): Generator<Found> {
  const { text } = whole;
  let { word } = whole;
  let at = 0;
  let pieceEnd = 0;
  for (;;) {
    start.lastIndex = at;
    const found = start.exec(text);
    if (found === null) return;
    at = found.index;
    if (at >= pieceEnd) pieceEnd = at + (match(piece, text, at)?.[0].length ?? 1);
    if (pieceEnd - at > LONGEST_PIECE) {
      const data = opaque(text, at, pieceEnd);
      if (data !== undefined) yield data;
      at = pieceEnd;
      word = "";
      continue;
    }
    const value = valueAt({ ...whole, word }, at);
    if (value !== undefined) {
      yield value;
      at = value.end;
      word = "";
      continue;
    }
    word = match(plainWord, text, at)?.[0] ?? found[0];
    at += word.length;
  }
}

/** Matches a piece of text between separators, such as a path segment of a link. */
const piece = /[^\s,;|"<>(){}[\]=&/:?#@]+/uy;
const LONGEST_PIECE = 200;

/** Returns long encoded data, such as base64, as one code that is compared as a whole. Undefined if the data has no digit. */
function opaque(text: string, at: number, end: number): Found | undefined {
  const written = text.slice(at, end);
  return /\p{N}/u.test(written)
    ? {
        ...found("id", text, at, end, [[{ is: "code", key: written.toLowerCase() }]]),
        text: written.slice(0, LONGEST_PIECE),
      }
    : undefined;
}

function valueAt(state: State, at: number): Found | undefined {
  const isWord = isLetter.test(state.text.charAt(at));
  for (const read of isWord ? readersOfWords : readers) {
    const value = read(state, at);
    if (value !== undefined) return isWord ? alsoAsCode(value, state.text, at) : value;
  }
  return undefined;
}

/** Returns `MAR-2024`, `GMT-100` and `NGN-100` also as codes, because `/orders/NGN-100/items` contains a code. */
function alsoAsCode(value: Found, text: string, at: number): Found {
  const word = match(code, text, at)?.[0] ?? "";
  const end = at + word.length;
  // Without the `/`, a further word can belong to the value: `NGN-100 million`.
  const isWhole = end === value.end || (end < value.end && text[end] === "/");
  if (!isWhole || !/^\p{L}+-\p{N}/u.test(word)) return value;
  const key = codeKey(word);
  if (value.readings.some(([first]) => first?.is === "code" && first.key === key)) return value;
  return { ...value, readings: [...value.readings, [{ is: "code", key }]] };
}

function dates(state: State, at: number): Found | undefined {
  const { text } = state;
  const date = dateAt(text, at, dayBefore.test(state.word) ? "day" : state.dateOrder);
  if (date === undefined || /^ ?(?:[ap]\.? ?m|Uhr|uur)\b/i.test(text.slice(date.end, date.end + 5)))
    return undefined;
  const whole = text.slice(at, date.end);
  const readings: Meaning[][] = date.forms.map((forms) => forms.map((form) => ({ is: "date", form })));
  // `3/4` and `9.30` can be numbers, and `20250309` can be a code.
  if (/^\d{1,2}[/.]\d{1,2}$/.test(whole)) {
    const number = numbersAt(state, at);
    if (number?.kind === "id") return number;
    if (number !== undefined && number.end > date.end) return number;
    // `3.2` is a date after the German preposition `am` and similar words, or before a full stop; otherwise `3.2` is also a number.
    const isDay =
      (whole.includes("/") && !ofBehind.test(text.slice(date.end, date.end + 4))) ||
      text[date.end] === "." ||
      state.word.toLowerCase() === "on" ||
      dayBefore.test(state.word);
    if (number !== undefined)
      return {
        ...number,
        readings: [...(isDay ? number.readings.map(asParts) : number.readings), ...readings],
      };
  }
  if (/^\d{8}$/.test(whole)) readings.push([{ is: "code", key: whole }]);
  if (/^\d{1,2}\.\d{1,2}\.\d{1,4}$/.test(whole)) {
    if (isVersioned(state.word)) return numbersAt(state, at);
    readings.push([{ ...versionOf(whole), isWhole: true }]);
  }
  // A time can follow the date directly: `2025-03-09T14:30Z`.
  const clock = /^T\d/i.test(text.slice(date.end, date.end + 2))
    ? timeAt(text, date.end + 1, true)
    : undefined;
  if (clock === undefined) return found("date", text, at, date.end, readings);
  const both = readings.flatMap((forms) =>
    clock.times.map((times) => [...forms, ...times.map((time) => ({ is: "time", ...time }) as const)]),
  );
  return found("date", text, at, clock.end, both);
}

/** Matches the word after a share, as in `1/4 of`. */
const ofBehind = /^ (?:of|de|der)/;
const dayBefore = /^(?:am|vom|zum|bis|seit|den|dem|il|le|el|du|del|dal|al|au|em|data|fecha|datum|op)$/i;

function hours(state: State, at: number): Found | undefined {
  const { text } = state;
  const read = hourRangeAt(text, at);
  if (read === undefined) return undefined;
  const readings = read.times.map((all) => all.map((one): Meaning => ({ is: "time", ...one })));
  const amount = read.mayLast ? numbersAt(state, at) : undefined;
  if (amount !== undefined && amount.end > read.end) return amount;
  // `14-17 Uhr` is also read as the series `14-17`.
  const hasMinutes = /\d[:.h]\d/.test(text.slice(at, read.end));
  const plain = hasMinutes ? undefined : seriesAt({ text, commaDecimals: false }, at, "");
  const spoken = plain !== undefined && plain.end <= read.end ? plain.readings.slice(0, 1).map(asParts) : [];
  return found("date", text, at, read.end, [...readings, ...spoken, ...(amount?.readings ?? [])]);
}

/** Matches a duration with minutes, seconds and decimals: `1:59.84`. */
const stopwatch = /\d{1,3}:[0-5]\d[.,]\d{1,3}(?![\p{L}\p{N}]|[.,:]\p{N})/uy;

function times(state: State, at: number): Found | undefined {
  const { text } = state;
  const lap = match(stopwatch, text, at)?.[0];
  if (lap !== undefined) return found("number", text, at, at + lap.length, durations(lap));
  const time = timeAt(text, at);
  if (time === undefined) return undefined;
  const readings: (readonly Meaning[])[] = time.times.map((all) =>
    all.map((one) => ({ is: "time", ...one })),
  );
  const whole = text.slice(at, time.end);
  // `1430 hrs` can be a time or a duration. `1430 hrs a year` can only be a duration.
  const amount = /^\d{4} ?h/i.test(whole) ? numbersAt(state, at) : undefined;
  if (amount !== undefined && amount.end > time.end) return amount;
  if (amount !== undefined) readings.push(...amount.readings);
  readings.push(...durations(whole));
  const ratio = /^(\d+):(\d+)$/.test(whole) ? seriesAt({ text, commaDecimals: false }, at, "") : undefined;
  if (ratio !== undefined && ratio.end === time.end)
    readings.push(...ratio.readings.slice(0, 1).map(asParts));
  return found("date", text, at, time.end, readings);
}

/** Returns the durations that a clock notation can mean, such as `00:03:25` and `3:05 h`. */
function durations(clock: string): readonly (readonly Meaning[])[] {
  const [, first = "", second = "", third] =
    /^(\d{1,2})(?::| ?h ?)(\d{2}(?:\.\d+)?)(?::(\d{2}(?:\.\d+)?))?$/.exec(clock.replace(",", ".")) ?? [];
  const words =
    third !== undefined
      ? [`${first} h ${second} min ${third} s`]
      : second === ""
        ? []
        : [
            ...(second.includes(".") ? [] : [`${first} h ${second} min`]),
            ...(clock.includes(":") ? [`${first} min ${second} s`] : []),
          ];
  return words.flatMap((text) => {
    const [reading = []] = numbersAt({ text, commaDecimals: false, word: "" }, 0)?.readings ?? [];
    const sum = reading.filter((meaning) => meaning.is === "quantity");
    return sum.length === 0 ? [] : [sum.map((quantity) => ({ ...quantity, isDoubtful: true }))];
  });
}

/** Marks the numbers of a possible date or time as parts, so that they do not count as amounts. */
function asParts(reading: readonly Meaning[]): readonly Meaning[] {
  const part = (quantity: Quantity): Quantity => ({ ...quantity, isPart: true });
  return reading.map((meaning) => {
    if (meaning.is === "series") return { ...meaning, parts: meaning.parts.map(part) };
    return meaning.is === "quantity" ? part(meaning) : meaning;
  });
}

const period =
  /P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?(?![\p{L}\p{N}])/uy;
const periodUnits = ["years", "months", "weeks", "days", "h", "min", "s"];
const stacked =
  /(?=\d+(?:d|h|min|m)\d)()()(?:(\d{1,3})w)?(?:(\d{1,4})d)?(?:(\d{1,3})h)?(?:(\d{1,3})m(?:in)?)?(?:(\d{1,2}(?:\.\d{1,6})?)s)?(?![\p{L}\p{N}])/uy;

/** Parses the duration at a position of the text, in ISO 8601 (`PT24H`) or in compact form (`04m12s`). */
function periods({ text }: State, at: number): Found | undefined {
  const written = match(period, text, at) ?? match(stacked, text, at);
  if (written === null) return undefined;
  const words = written
    .slice(1)
    .flatMap((digits, index) =>
      digits === undefined || digits === "" ? [] : [`${digits} ${periodUnits[index] ?? ""}`],
    );
  const spelled = numbersAt({ text: words.join(" "), commaDecimals: false, word: "" }, 0);
  return spelled && { ...found("number", text, at, at + written[0].length, spelled.readings) };
}

const code = /[\p{L}\p{N}\p{M}]+(?:[-_.][\p{L}\p{N}\p{M}]+)*/uy;
const prefix = /^(?:mid|pre|post|sub|under|over|top|circa|early|late|non|plus|minus)-(?=\d)/i;

function codes(state: State, at: number): Found | undefined {
  const { text } = state;
  const word = match(code, text, at)?.[0];
  if (word === undefined || !/\p{N}/u.test(word)) return undefined;
  // `12..5` has no readable value: neither 12 nor 5.
  if (/^\d+$/.test(word) && /^[.,_']+\d/.test(text.slice(at + word.length, at + word.length + 8)))
    return undefined;
  const hex = /^(?:0x)?0*(?=[\da-f]*\d)([\da-f]{5,16})$/i.exec(word)?.[1];
  if (hex !== undefined && /[a-f]/i.test(hex))
    return found("id", text, at, at + word.length, [
      [{ is: "code", key: codeKey(word) }],
      [{ is: "address", key: `hex ${hex.toLowerCase()}` }],
    ]);
  const before = prefix.exec(word)?.[0];
  if (before !== undefined) return valueAt({ ...state, word: before }, at + before.length);
  if (!/^\p{N}/u.test(word)) {
    const digits = /^\p{L}+[-.]?v?(?=\d)/iu.exec(word)?.[0] ?? "";
    const name = digits.replace(/[-.]$/, "");
    const reading: Meaning = { is: "code", key: codeKey(word) };
    // `p95_ms` consists of a percentile and a unit.
    const rank = /^p\d{2,3}(?=_)/i.exec(word)?.[0];
    if (rank !== undefined)
      return found("id", text, at, at + word.length, [
        [reading, { is: "code", key: codeKey(rank) }],
        [reading],
      ]);
    // `x314` can be an extension of a telephone number. `Python3.11` and `go1.22.4` are a product and its version.
    const extension = /^x(\d{1,6})$/i.exec(word)?.[1];
    if (extension !== undefined)
      return found("id", text, at, at + word.length, [[reading], [plainNumber(extension)]]);
    const also: Meaning[][] = (isVersioned(name) ? /^\d+(?:\.\d+)*$/ : /^\d+(?:\.\d+){2,}$/).test(
      word.slice(digits.length),
    )
      ? [[versionOf(word.slice(digits.length))]]
      : [];
    return found("id", text, at, at + word.length, [[reading], ...also]);
  }
  // `14A-14C` can be a range of seats.
  const seats = /^(\d{1,3}[A-Z])-(\d{1,3}[A-Z])$/.exec(word);
  if (seats !== null)
    return found("id", text, at, at + word.length, [
      [{ is: "code", key: codeKey(word) }],
      seats.slice(1).map((seat) => ({ is: "code", key: codeKey(seat) }) as const),
    ]);
  const isVersion = /^\d+(?:\.\d+)+-\p{L}/u.test(word);
  return found("id", text, at, at + word.length, [
    [{ is: "code", key: codeKey(word) }],
    ...(isVersion ? [[versionOf(word)]] : []),
  ]);
}

/** Returns `PHP 8.1` both as an amount in Philippine pesos and as a version of the product PHP. */
function amountsOrVersions(state: State, at: number): Found | undefined {
  const number = numbersAt(state, at);
  if (number === undefined) return undefined;
  const product = /^(\p{L}+) v?(\d+(?:\.\d+)*)\+?$/u.exec(state.text.slice(at, number.end));
  if (product === null || !isVersioned(product[1] ?? "")) return number;
  return { ...number, readings: [...number.readings, [versionOf(product[2] ?? "")]] };
}

const chunk = /[^\s\ufffd]{1,400}/uy;

/** Returns digits that no other rule can parse, as a value of kind null. */
function unreadable({ text }: State, at: number): Found | undefined {
  if (!/\p{N}/u.test(text.charAt(at))) return undefined;
  const word = match(chunk, text, at)?.[0] ?? text.charAt(at);
  return found(null, text, at, at + word.length, []);
}

const readers: readonly Reader[] = [
  percentiles,
  periodAt,
  hours,
  addressAt,
  dates,
  endpointAt,
  longCodes,
  digitGroups,
  periods,
  times,
  numbersAt,
  codes,
  unreadable,
];
const readersOfWords: readonly Reader[] = [
  periodAt,
  zones,
  addressAt,
  dates,
  longCodes,
  times,
  periods,
  amountsOrVersions,
  codes,
];
const isLetter = /\p{L}/u;
