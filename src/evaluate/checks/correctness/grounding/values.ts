import { type GroupedCode, groupedCodes } from "./grouped-codes.ts";
import type { Meaning } from "./meaning.ts";
import { plainText } from "./plain-text.ts";
import { valuesIn } from "./read-values.ts";
import type { Kind, TextValue } from "./reading.ts";
import { wordedQuantities } from "./worded-quantities.ts";

/**
 * Returns the values of the wanted kinds in a text, in order, without numbers of list items and citations. Values with equal text and equal
 * meanings are returned once. Values that no rule can parse (kind null) are included if numbers, dates or ids are wanted. Takes linear time.
 */
export function statedValues(text: string, wanted: ReadonlySet<Kind>): readonly TextValue[] {
  const found = new Map<string, TextValue>();
  const wantsDigits = wanted.has("number") || wanted.has("date") || wanted.has("id");
  const plain = withoutListMarks(withoutCitations(plainText(text)));
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

/**
 * Matches the numbers of sources: `[1]`, `[^2]`, `[1, 3]`. After a space, several numbers in brackets are a list of values; after a colon or
 * equals sign, one number is, too.
 */
const citation =
  /(?<=[\p{L}\p{N}.,;!?)%"'\]])\[\^?\d{1,2}(?:, ?\^?\d{1,2})*\]|(?<=[\p{L}\p{N}.,;!?)%"'\]] )\[\^?\d{1,2}\]|(?<![^\n])\[\^?\d{1,2}\](?=:| \p{L})/gu;
const fileCitation = /【[^【】\n]{1,80}†[^【】\n]{1,200}】/gu;

/** Removes the numbers of sources if they are numbered from 1 without a gap. A single number after a space may be a value. */
function withoutCitations(text: string): string {
  if (!/[[【]/.test(text)) return text;
  const marks = [...text.matchAll(citation)];
  const cited = marks.flatMap(([mark]) => mark.match(/\d+/g) ?? []).map(Number);
  const isAttached = marks.some(({ index }) => text[index - 1] !== " ");
  const isCounted = Math.max(0, ...cited) === new Set(cited).size && !cited.includes(0);
  const areSources = isCounted && (isAttached || marks.length > 1);
  return (areSources ? text.replaceAll(citation, "") : text).replaceAll(fileCitation, "");
}

const LABELS =
  "step|option|part|phase|stage|tip|day|week|method|reason|question|example|point|alternative|schritt|option|teil|tag|woche|frage|beispiel|punkt|étape|jour|semaine|paso|opción|día|semana|passo|fase|opzione|giorno|opção|dia|stap|optie|dag|шаг|вариант|день";
/** Matches the number at the start of a line: `1.`, `2)`, `Step 1:`, `### Day 2 - Rome`. */
const LIST_MARK = new RegExp(
  String.raw`^([ \t>#]*(?:[-*•] +)?)(?:(\d{1,3})[.)] +|(${LABELS}) (\d{1,3})(?:[.):] +| - |[.:]?$))`,
  "iu",
);

/** Removes list item numbers. An item number is at the start of a line, and is 1 or continues the count. */
function withoutListMarks(text: string): string {
  const counted = new Map<string, number>();
  return text
    .split("\n")
    .map((line) => {
      const mark = LIST_MARK.exec(line);
      if (mark === null) return line.replace(/^[ \t]*[-*•] +/, "");
      const [whole, indent = "", digits, label = "", labelled] = mark;
      const number = Number(digits ?? labelled);
      const list = `${indent.length} ${label.toLowerCase()}`;
      if (number > 1 && counted.get(list) !== number - 1) return line;
      counted.set(list, number);
      return line.slice(whole.length);
    })
    .join("\n");
}
