import { match, sticky } from "./sticky.ts";

/** A date at a position of a text. `forms` are the possible readings; each reading is one date, or the ends of a range. */
export interface DatePart {
  readonly end: number;
  /** Dates as `2025-03-09`, as `--03-09` without a year, or as `2025-03` without a day. */
  readonly forms: readonly (readonly string[])[];
}

/**
 * Order of a numeric date of two parts. `day`: the day is first. `month`: the month is first. `year`: there is no day, and the month is
 * followed by a year: `11/26` is November 2026.
 */
export type DateOrder = "day" | "month" | "year";

/** First letters of each month's names in English, German, French, Spanish, Italian, Portuguese, Dutch, Russian and Polish. */
const months: readonly (readonly string[])[] = [
  ["jan", "ene", "gen", "янв", "sty"],
  ["feb", "fév", "fev", "фев", "lut"],
  ["mar", "mär", "maa", "mrt", "мар"],
  ["apr", "avr", "abr", "апр", "kwi"],
  ["may", "mai", "mag", "mei", "мая", "май", "maj"],
  ["jun", "juin", "giu", "июн", "cze"],
  ["jul", "juil", "lug", "июл", "lip"],
  ["aug", "aoû", "aou", "ago", "авг", "sie"],
  ["sep", "set", "сен", "wrz"],
  ["oct", "okt", "ott", "out", "окт", "paź"],
  ["nov", "ноя", "lis"],
  ["dec", "dez", "déc", "dic", "дек", "gru"],
];
const monthStarts: ReadonlySet<string> = new Set(months.flat().map((start) => start.slice(0, 3)));
const monthNames =
  "jan(?:uary|uar|vier|eiro|uari)?|enero|gennaio|feb(?:ruary|ruar|rero|braio|ruari)?|février|fevereiro|mar(?:ch|s|zo|ço)?|märz|maart|mrt|" +
  "apr(?:il|ile)?|avril|abril|may|mai|mayo|maggio|maio|mei|june?|juni|juin|junio|giugno|junho|july?|juli|juillet|julio|luglio|julho|" +
  "aug(?:ust|ustus)?|août|agosto|sept?(?:ember|embre|tembre|tiembre)?|setembro|settembre|oct(?:ober|obre|ubre)?|okt(?:ober)?|ottobre|outubro|" +
  "nov(?:ember|embre|iembre|embro)?|dec(?:ember)?|dez(?:ember|embro)?|décembre|diciembre|dicembre|" +
  "янв(?:аря|арь)?|фев(?:раля|раль)?|марта?|апр(?:еля|ель)?|мая|май|июн[яь]|июл[яь]|авг(?:уста?)?|сен(?:тября|тябрь)?|окт(?:ября|ябрь)?|ноя(?:бря|брь)?|дек(?:абря|абрь)?|" +
  "stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia";

const NTH = String.raw`(?:st|nd|rd|th|er|\.|º)?`;
const MONTH = String.raw`(${monthNames})(?!\p{L})\.?`;
const YEAR = String.raw`(?:,? {0,2}(?:(?:of|de|del) )?(\d{4})(?![\d.,:]*\d))`;
/** Matches a year of two digits after a mark: `08-Jul-25`, `8 Jul '25`. */
const SHORT_YEAR = String.raw`(?:(?:[-/.]| ?')(\d{2}))(?!\d)`;
const AND = String.raw`(?: ?- ?| & | (?:to|and|bis|und|au|à|al?|hasta|y|et|e|até|tot|en|do|по)(?: el| il| le| den)? )`;

/** Matches one day, the two ends of a range, or a list such as `1, 8 and 15`. */
const DAYS = String.raw`(\d{1,2}${NTH}(?:(?:, ?\d{1,2}${NTH}){0,6},?${AND}\d{1,2}${NTH}(?!:?\d))?)(?!\d)`;

const dayMonth = sticky(String.raw`${DAYS}(?: ?[-/]? ?(?:of |de )?)${MONTH}(?:[-/ ]?${YEAR}|${SHORT_YEAR})?`);
const monthDay = sticky(String.raw`${MONTH}(?:-| {0,3})${DAYS}${YEAR}?`);
const monthYear = sticky(String.raw`${MONTH}(?:,? | of | de | del |[-/])(\d{4})`);
const monthShortYear = sticky(String.raw`${MONTH}(?:-| ?')(\d{2})(?!\d)`);
const yearFirst = sticky(String.raw`(\d{4})([-/.])(\d{1,2})\2(\d{1,2})`);
const yearLast = sticky(String.raw`(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4}|\d{2})`);
const yearMonth = sticky(String.raw`(\d{4})-(0[1-9]|1[0-2])`);
const monthSlashYear = sticky(String.raw`(0[1-9]|1[0-2])/(\d{4})`);
const compact = sticky(String.raw`((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])`);
const eastAsian = sticky(String.raw`(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]`);
const withoutYear = sticky(String.raw`(\d{1,2})([/.])(\d{1,2})`);

const numeric = /(?<![\d/.-])(\d{1,2})\/(\d{1,2})(?:\/(?:\d{4}|\d{2}))(?![\d/])/g;
/** Patterns of texts that state the order of numeric dates, such as `dd/mm`. */
const named: readonly (readonly [DateOrder, RegExp])[] = [
  ["day", /\b(?:dd|tt|jj|gg)[/.-]?mm\b|\b(?:UK|European|British) (?:notation|format|date)/i],
  ["month", /\bmm[/.-]?dd\b|\b(?:US|American) (?:notation|format|date)/i],
  ["year", /\bmm ?[/.-]? ?yy(?!yy)\b/i],
];

/**
 * Returns the order of day and month in a text's numeric dates. A statement such as `dd/mm`, or a date with a day above 12, shows the
 * order. Undefined if the text shows no order, or different orders.
 */
export function dateOrderIn(text: string): DateOrder | undefined {
  const orders = new Set(named.flatMap(([order, pattern]) => (pattern.test(text) ? [order] : [])));
  for (const [, first, second] of text.matchAll(numeric))
    if (Number(first) > 12) orders.add("day");
    else if (Number(second) > 12) orders.add("month");
  const [order, ...others] = orders;
  return others.length > 0 ? undefined : order;
}

/**
 * Returns the date at a position of a plain text; undefined if there is none.
 * @param order order of numeric dates, if known
 */
export function dateAt(text: string, at: number, order?: DateOrder): DatePart | undefined {
  const isDigit = /\d/.test(text.charAt(at));
  if (!isDigit && !monthStarts.has(text.slice(at, at + 3).toLowerCase())) return undefined;
  for (const [pattern, read] of isDigit ? readersOfDigits : readersOfMonths) {
    const found = match(pattern, text, at);
    const end = pattern.lastIndex;
    if (found === null || !isWhole(text, end)) continue;
    const forms = read(found, order).filter((dates): dates is string[] =>
      dates.every((date) => date !== undefined),
    );
    if (forms.length > 0) return { end, forms };
  }
  return undefined;
}

/** Whether the date ends at this position: no digit, letter or further number follows, except a time of day after `T`. */
function isWhole(text: string, end: number): boolean {
  const next = text[end] ?? "";
  if (/[\p{L}\p{N}_]/u.test(next)) return /^T\d\d:?\d\d/i.test(text.slice(end, end + 6));
  return !/^[-/.:]\p{N}/u.test(text.slice(end, end + 2)) || isFullDateAt(text, end + 1);
}

/** Whether a second date with a year follows a `-` or `/`, as in `01/07-15/07/2026`. */
function isFullDateAt(text: string, at: number): boolean {
  return (
    /^[-/]$/.test(text.charAt(at - 1)) &&
    [yearFirst, yearLast].some((pattern) => match(pattern, text, at) !== null)
  );
}

type Read = (
  found: RegExpExecArray,
  order: DateOrder | undefined,
) => readonly (readonly (string | undefined)[])[];

const readersOfMonths: readonly (readonly [RegExp, Read])[] = [
  [monthShortYear, monthAndTwoDigits],
  [monthDay, ([, name, days, year]) => [each(year, monthOf(name), days)]],
  [monthYear, ([, name, year]) => [[`${year}-${two(monthOf(name))}`]]],
];
const readersOfDigits: readonly (readonly [RegExp, Read])[] = [
  [eastAsian, ([, year, month, day]) => [[form(year, month, day)]]],
  [yearFirst, ([, year, , month, day]) => [[form(year, month, day)]]],
  [yearLast, lastYear],
  [compact, ([, year, month, day]) => [[form(year, month, day)]]],
  [dayMonth, ([, days, name, year, short]) => [each(year ?? fullYear(short), monthOf(name), days)]],
  [yearMonth, ([, year, month]) => [[`${year}-${month}`]]],
  [monthSlashYear, ([, month, year]) => [[`${year}-${month}`]]],
  [withoutYear, dayAndMonth],
];

/** Returns both readings of `Jul-25`: July 2025, and 25 July. */
function monthAndTwoDigits([, name, digits]: RegExpExecArray): readonly (readonly (string | undefined)[])[] {
  const month = monthOf(name);
  return [[`${fullYear(digits)}-${two(month)}`], [form(undefined, String(month), digits)]];
}

/** Returns the readings of `09/28`: 28 September, and September 2028 as the expiry date of a card. */
function dayAndMonth(
  [, first = "", mark, second = ""]: RegExpExecArray,
  order: DateOrder | undefined,
): readonly (readonly (string | undefined)[])[] {
  // In dates with dots, the day is first: `2.4` is 2 April, and `4.2` is 4 February.
  const orders = mark === "." ? [[form(undefined, second, first)]] : inOrder(undefined, first, second, order);
  const isMonthOfYear = mark === "/" && /^(?:0[1-9]|1[0-2])$/.test(first) && second.length === 2;
  const expiry = [`${fullYear(second)}-${first}`];
  if (isMonthOfYear && order === "year") return [expiry];
  return isMonthOfYear ? [...orders, expiry] : orders;
}

/** Returns the readings of `03/09/2025`: day first and month first. `25-03-09` can also have the year first. */
function lastYear(
  [, first, mark, second, last]: RegExpExecArray,
  order: DateOrder | undefined,
): readonly (readonly (string | undefined)[])[] {
  const known = mark === "." ? "day" : order;
  const dates = inOrder(fullYear(last), first, second, known);
  return known === undefined && last?.length === 2 && first?.length === 2
    ? [...dates, [form(fullYear(first), second, last)]]
    : dates;
}

/**
 * Returns the date of two numbers in the known order. If the order is unknown, or the date is invalid in that order, returns the valid
 * dates of both orders.
 */
function inOrder(
  year: string | undefined,
  first: string | undefined,
  second: string | undefined,
  order: DateOrder | undefined,
): readonly (readonly (string | undefined)[])[] {
  const orders = [form(year, second, first), form(year, first, second)];
  const known = order === "day" ? orders[0] : order === "month" ? orders[1] : undefined;
  if (known !== undefined) return [[known]];
  return [...new Set(orders)].flatMap((date) => (date === undefined ? [] : [[date]]));
}

function each(
  year: string | undefined,
  month: number,
  days: string | undefined,
): readonly (string | undefined)[] {
  return (days?.match(/\d+/g) ?? []).map((day) => form(year, String(month), day));
}

function form(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  const [inYear, inMonth] = [Number(month), Number(day)];
  if (!(inYear >= 1 && inYear <= 12 && inMonth >= 1 && inMonth <= 31)) return undefined;
  return `${year ?? "-"}-${two(inYear)}-${two(inMonth)}`;
}

function fullYear(year: string | undefined): string | undefined {
  if (year?.length !== 2) return year;
  return `${Number(year) < 70 ? "20" : "19"}${year}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function monthOf(name = ""): number {
  const lower = name.toLowerCase();
  return months.findIndex((starts) => starts.some((start) => lower.startsWith(start))) + 1;
}
