import type { AgentRun } from "../../model/run.ts";
import { short } from "../rules/text.ts";
import { withOtherDigits } from "./falsify.ts";
import type { Mutant, Mutation } from "./mutant.ts";
import { returnedNames } from "./names.ts";

const REFUSAL = "I am sorry, but I can not help with that.";

/** Returns copies of the run with a changed answer: one with other numbers, one with a refusal, one with an empty answer. */
export function altered(run: AgentRun): readonly Mutant[] {
  const { answer } = run;
  if (answer === null || answer === "") return [];
  const answers: readonly (readonly [what: string, answer: string])[] = [
    ["the answer contained other numbers", withOtherDigits(answer)],
    ["the answer was a refusal", REFUSAL],
    ["the answer was empty", ""],
  ];
  return answers
    .filter(([, text]) => text !== answer)
    .map(([what, text]) => ({ mutation: "answer" as const, what, run: { ...run, answer: text } }));
}

/** Matches a number, date or time with sign, currency and unit. A hyphen is not a sign. */
const NUMERAL =
  /(?<!\d[.,:/-]?)(?<sign>(?<![\p{L}\p{N}.,:/-])[-−])?(?<currency>[$€£])?(?<digits>\d+(?:[.,:/-]\d+)*)(?:(?<space>\s?)(?<unit>%|°[CF]|\p{L}+))?/gu;

interface Numeral {
  /** The numeral as written, with sign, currency and unit. */
  readonly text: string;
  readonly digits: string;
  readonly replaced: (text: string) => string;
  readonly groups: Readonly<Record<string, string | undefined>>;
  /** True if the numeral is an amount, not a code, date, time or range. */
  readonly isAmount: boolean;
}

function numeralsOf(answer: string): readonly Numeral[] {
  return [...answer.matchAll(NUMERAL)].map(({ 0: whole, index, groups = {} }) => {
    const { digits = "", space = "", unit = "" } = groups;
    // Most words after a number are not units and do not change.
    const text = units.has(unit) ? whole : whole.slice(0, whole.length - space.length - unit.length);
    const before = answer.slice(Math.max(0, index - 1), index);
    return {
      text,
      digits,
      groups,
      isAmount: /^\d+(?:[.,]\d+)?$/.test(digits) && !/[\p{L}\p{N}_./:-]/u.test(before),
      replaced: (other) => `${answer.slice(0, index)}${other}${answer.slice(index + text.length)}`,
    };
  });
}

/** Changes each number of the answer: one mutant has an additional 1 in front, one has another last digit. */
export function misstated(run: AgentRun): readonly Mutant[] {
  return numeralsOf(run.answer ?? "").flatMap((numeral) =>
    [`1${numeral.digits}`, withOtherLastDigit(numeral.digits)].map((digits) =>
      inAnswer(run, "number", numeral, numeral.text.replace(numeral.digits, digits)),
    ),
  );
}

function withOtherLastDigit(digits: string): string {
  return `${digits.slice(0, -1)}${withOtherDigits(digits.slice(-1))}`;
}

/** Changes each amount of the answer: one mutant has the opposite sign, one has another unit. */
export function measuredOtherwise(run: AgentRun): readonly Mutant[] {
  return numeralsOf(run.answer ?? "").flatMap((numeral) => {
    if (!numeral.isAmount) return [];
    const { sign } = numeral.groups;
    const inverted = sign === undefined ? `-${numeral.text}` : numeral.text.slice(sign.length);
    const converted = inOtherUnit(numeral);
    return [inverted, ...(converted === null ? [] : [converted])].map((text) =>
      inAnswer(run, "unit", numeral, text),
    );
  });
}

const currencies: Readonly<Record<string, string>> = { $: "€", "€": "$", "£": "€" };

const units: ReadonlyMap<string, string> = new Map(
  [
    ["EUR", "USD"],
    ["GBP", "CHF"],
    ["euros", "dollars"],
    ["%", "°C"],
    ["percent", "degrees"],
    ["°C", "°F"],
    ["ms", "s"],
    ["minutes", "hours"],
    ["days", "weeks"],
    ["months", "years"],
    ["mm", "cm"],
    ["m", "km"],
    ["kilometres", "miles"],
    ["g", "kg"],
    ["l", "ml"],
    ["MB", "GB"],
  ].flatMap(([one = "", other = ""]) => [
    [other, one],
    [one, other],
  ]),
);

function inOtherUnit({ text, groups }: Numeral): string | null {
  const { currency, unit } = groups;
  const otherCurrency = currency === undefined ? undefined : currencies[currency];
  if (currency !== undefined && otherCurrency !== undefined)
    return text.replace(currency, () => otherCurrency);
  const otherUnit = unit === undefined ? undefined : units.get(unit);
  return unit === undefined || otherUnit === undefined ? null : `${text.slice(0, -unit.length)}${otherUnit}`;
}

function inAnswer(run: AgentRun, mutation: Mutation, { text, replaced }: Numeral, other: string): Mutant {
  return {
    mutation,
    what: `the answer said ${short(other.trim())} instead of ${short(text.trim())}`,
    run: { ...run, answer: replaced(other) },
  };
}

/** Changes each name in the answer that a tool or retrieval returned. */
export function misnamed(run: AgentRun): readonly Mutant[] {
  return returnedNames(run).map((name) => {
    const other = withOtherLetters(name);
    return {
      mutation: "name",
      what: `the answer said ${short(other)} instead of ${short(name)}`,
      run: { ...run, answer: (run.answer ?? "").replaceAll(name, () => other) },
    };
  });
}

/** Replaces each letter by the next letter of the alphabet, and z and other letters by `a`: DHL becomes EIM. */
function withOtherLetters(name: string): string {
  return name.replace(/\p{L}/gu, (letter) => {
    const next = /[a-y]/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 1) : "a";
    return letter === letter.toUpperCase() ? next.toUpperCase() : next;
  });
}

/** A sentence with an amount that probably does not occur in the run. */
const INVENTION = "There is a surcharge of 83.61 %.";

/** Returns a mutant whose answer has an added sentence with an amount that has no evidence. */
export function invented(run: AgentRun): readonly Mutant[] {
  const { answer } = run;
  if (answer === null || answer === "") return [];
  const what = `the answer also said ${JSON.stringify(INVENTION)}`;
  return [{ mutation: "invention", what, run: { ...run, answer: `${answer} ${INVENTION}` } }];
}
