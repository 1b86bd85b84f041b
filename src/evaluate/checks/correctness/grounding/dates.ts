/** A date at the start of a list of words. */
export interface DatePart {
  /** How many words it takes. */
  readonly words: number;
  /** `2025-03-09`, or `--03-09` when no year is given. */
  readonly form: string;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const longMonths = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

const ISO = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:t[\d:.]+(?:z|[+-]\d{2}:?\d{2})?)?$/i;
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const DAY = /^(\d{1,2})(?:st|nd|rd|th)?$/i;
const YEAR = /^\d{4}$/;

/**
 * A date that begins at word `at`: `2025-03-09`, `9.3.2025`, `March 9, 2025`, `9 March 2025`, `March 9th`. Forms that two
 * countries read differently (`03/09/2025`) are left alone.
 */
export function dateAt(words: readonly string[], at: number): DatePart | undefined {
  const word = words[at] ?? "";
  const iso = ISO.exec(word);
  if (iso !== null) return part(1, iso[1], Number(iso[2]), Number(iso[3]));
  const dotted = DOTTED.exec(word);
  if (dotted !== null) return part(1, dotted[3], Number(dotted[2]), Number(dotted[1]));
  const month = monthOf(word);
  if (month !== undefined) return withYear(words, at, month, dayOf(words[at + 1]));
  const next = monthOf(words[at + 1] ?? "");
  return next === undefined ? undefined : withYear(words, at, next, dayOf(word));
}

function withYear(
  words: readonly string[],
  at: number,
  month: number,
  day: number | undefined,
): DatePart | undefined {
  if (day === undefined) return undefined;
  const year = words[at + 2] ?? "";
  return YEAR.test(year) ? part(3, year, month, day) : part(2, undefined, month, day);
}

function part(words: number, year: string | undefined, month: number, day: number): DatePart | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return { words, form: `${year ?? "-"}-${two(month)}-${two(day)}` };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function dayOf(word: string | undefined): number | undefined {
  const found = DAY.exec(word ?? "");
  return found === null ? undefined : Number(found[1]);
}

function monthOf(word: string): number | undefined {
  const lower = word.toLowerCase();
  const at = longMonths.includes(lower) ? longMonths.indexOf(lower) : months.indexOf(lower);
  return at === -1 ? undefined : at + 1;
}
