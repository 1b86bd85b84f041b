import { type Meaning, plainNumber } from "./meaning.ts";
import { found, type Found, type State } from "./reading.ts";
import { match, sticky } from "./sticky.ts";

const YEAR = String.raw`(?:(?:FY|fiscal(?: year)?) ?)?(\d{4}|'\d{2}|(?<=FY ?)\d{2})`;
const BEFORE_YEAR = String.raw`(?:,? (?:of|in|de|del|von|des Jahres|van) | ?[/-] ?|,? |(?='))`;
const END = String.raw`(?![\p{L}\p{N}_]|[-./:,]\p{N})`;
const FIRST = String.raw`(?:([1-4])(?:st|nd|rd|th|er|ère|e|ème|º|\.)?|(first|primer|premier|erstes?)|(second|segundo|deuxième|zweites?)|(third|tercer|troisième|drittes?)|(fourth|cuarto|quatrième|viertes?)) ?`;

type Letter = "W" | "Q" | "H";

/** Patterns of periods: week (W), quarter (Q) and half-year (H). `isYearFirst` is the order of year and period in the text. */
const patterns: readonly (readonly [RegExp, Letter, isYearFirst: boolean])[] = [
  [sticky(String.raw`(\d{4})[- ]?W([0-5]\d)(?:-[1-7])?${END}`), "W", true],
  [sticky(String.raw`(\d{4})[-/ ]?Q([1-4])${END}`), "Q", true],
  [sticky(String.raw`(\d{4})[-/ ]?H([12])${END}`), "H", true],
  [
    sticky(
      String.raw`(?:(?:calendar )?week|kalenderwoche|KW|CW|wk|semaine|semana|settimana)(?: ?(?:no\.?|nr\.?|#))? ?([1-9]|[0-5]\d)(?:${BEFORE_YEAR}${YEAR})?${END}`,
    ),
    "W",
    false,
  ],
  [sticky(String.raw`W([0-5]\d)${BEFORE_YEAR}${YEAR}${END}`), "W", false],
  [sticky(String.raw`Q([1-4])(?:${BEFORE_YEAR}${YEAR})?${END}`), "Q", false],
  [sticky(String.raw`T([1-4])${BEFORE_YEAR}${YEAR}${END}`), "Q", false],
  [sticky(String.raw`([1-4])Q ?(?:${YEAR}|(\d{2}))${END}`), "Q", false],
  [
    sticky(String.raw`${FIRST}(?:quarter|quartal|trimestre|kwartaal)(?:${BEFORE_YEAR}${YEAR})?${END}`),
    "Q",
    false,
  ],
  [sticky(String.raw`H([12])${BEFORE_YEAR}${YEAR}${END}`), "H", false],
  [sticky(String.raw`${FIRST}(?:half|halbjahr|semestre)${BEFORE_YEAR}${YEAR}${END}`), "H", false],
];
const initial = /[\dcefkpqstvwdzhCFKPQSTVWDZH]/;

/**
 * Returns the week, quarter or half-year at a position: `2025-W10`, `KW 10/2025`, `Q3 2024`, `the third
 * quarter of 2024`.
 */
export function periodAt({ text }: State, at: number): Found | undefined {
  if (!initial.test(text.charAt(at))) return undefined;
  for (const [pattern, letter, isYearFirst] of patterns) {
    const written = match(pattern, text, at);
    if (written === null) continue;
    const groups = isYearFirst ? [written[2], written[1]] : numbersOf(written.slice(1));
    const [number = "", year] = groups;
    const end = at + written[0].length;
    return year === undefined
      ? withoutYear(text, at, end, letter, number)
      : withYear(text, at, end, `${letter}${Number(number)}`, fullYear(year));
  }
  return undefined;
}

/** Returns the number and the year from a pattern's groups. An ordinal word becomes its number: `third` becomes `3`. */
function numbersOf(groups: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const word = groups.findIndex((group) => group !== undefined && /^\p{L}/u.test(group));
  const [first, ...others] = groups.filter((group) => group !== undefined);
  return [word < 0 ? first : String(word), ...others];
}

function fullYear(year: string): string {
  const digits = year.replace("'", "");
  return digits.length === 2 ? `20${digits}` : digits;
}

/** Returns a period with its year. `alsoKnownBy` accepts evidence that has the period and the year in two places. */
function withYear(text: string, at: number, end: number, period: string, year: string): Found {
  const inYear: Meaning = { is: "date", form: `${year}-${period}` };
  return {
    ...found("date", text, at, end, [[inYear]]),
    alsoKnownBy: [[{ is: "code", key: codeOf(period) }, plainNumber(year)]],
  };
}

function withoutYear(text: string, at: number, end: number, letter: Letter, digits: string): Found {
  const period = `${letter}${Number(digits)}`;
  const readings: Meaning[][] = [
    [{ is: "date", form: `--${period}` }],
    [{ is: "code", key: codeOf(period) }],
  ];
  // A week without a year can also be a plain number, such as `week 3` of a plan.
  if (letter === "W") readings.push([plainNumber(digits)]);
  return found(letter === "W" ? "number" : "id", text, at, end, readings);
}

function codeOf(period: string): string {
  return period
    .toLowerCase()
    .replace(/^w/, "week")
    .replace(/(?<=\D)(?=\d)/, "-");
}
