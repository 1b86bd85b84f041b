import { type GroupedCode, groupedCodes } from "./grouped-codes.ts";
import type { Meaning } from "./meaning.ts";
import { plainText } from "./plain-text.ts";
import { valuesIn } from "./read-values.ts";
import type { Kind, TextValue } from "./reading.ts";
import { wordedQuantities } from "./worded-quantities.ts";

/**
 * Returns the values of the wanted kinds in a text, in order, without list item numbers. Values with equal text and equal meanings are
 * returned once. Values that no rule can parse (kind null) are included if numbers, dates or ids are wanted. Takes linear time.
 */
export function statedValues(text: string, wanted: ReadonlySet<Kind>): readonly TextValue[] {
  const found = new Map<string, TextValue>();
  const wantsDigits = wanted.has("number") || wanted.has("date") || wanted.has("id");
  const plain = withoutListMarks(plainText(text));
  const rows = groupedCodes(plain);
  let row = 0;
  const read = [...valuesIn(plain), ...wordedQuantities(plain)].sort((one, other) => one.end - other.end);
  for (const { end, ...value } of read) {
    while (row < rows.length && endOf(rows[row] ?? []) < end) row++;
    const stated = asPartOf(value, end, rows[row] ?? []);
    if (value.kind === null ? !wantsDigits : !wanted.has(value.kind)) continue;
    const key = `${value.kind ?? ""} ${value.text.toLowerCase()} ${JSON.stringify(stated.readings, digitsOf)}`;
    if (!found.has(key)) found.set(key, stated);
  }
  return [...found.values()];
}

/** Matches a telephone number without its country code. */
const LOCAL_NUMBER = /^\d{8,12}$/;

function endOf(codes: readonly GroupedCode[]): number {
  return Math.max(0, ...codes.map(({ end }) => end));
}

/** Adds the complete code to the readings of one of its groups, so that evidence that contains the complete code grounds the group. */
function asPartOf(value: TextValue, end: number, codes: readonly GroupedCode[]): TextValue {
  const start = end - value.text.length;
  const around = codes.filter((code) => code.start <= start && end <= code.end);
  if (around.length === 0) return value;
  const wholes = around.flatMap(({ key }): Meaning[] => [
    { is: "code", key },
    ...(LOCAL_NUMBER.test(key) ? [{ is: "digits", digits: key, isPhone: false } as const] : []),
  ]);
  return { ...value, readings: [...value.readings, ...wholes.map((meaning) => [meaning])] };
}

function digitsOf(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

const LIST_MARK = /^([ \t>#]*(?:[-*•] +)?)(\d{1,3})[.)] +/;

/** Removes list item numbers. An item number is at the start of a line, and is 1 or continues the count. */
function withoutListMarks(text: string): string {
  const counted = new Map<number, number>();
  return text
    .split("\n")
    .map((line) => {
      const mark = LIST_MARK.exec(line);
      if (mark === null) return line.replace(/^[ \t]*[-*•] +/, "");
      const [whole, indent = "", digits = ""] = mark;
      const number = Number(digits);
      if (number > 1 && counted.get(indent.length) !== number - 1) return line;
      counted.set(indent.length, number);
      return line.slice(whole.length);
    })
    .join("\n");
}
