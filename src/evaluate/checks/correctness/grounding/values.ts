import { plainText } from "./plain-text.ts";
import { valuesIn } from "./read-values.ts";
import type { Kind, TextValue } from "./reading.ts";

/**
 * The values of the wanted kinds in a text, each once, in order, with those that cannot be read (kind null) where numbers, dates or ids
 * are wanted. The numbers of a list's items are left out. Takes time linear in the text.
 */
export function statedValues(text: string, wanted: ReadonlySet<Kind>): readonly TextValue[] {
  const found = new Map<string, TextValue>();
  const wantsDigits = wanted.has("number") || wanted.has("date") || wanted.has("id");
  for (const value of valuesIn(withoutListMarks(plainText(text)))) {
    if (value.kind === null ? !wantsDigits : !wanted.has(value.kind)) continue;
    const key = `${value.kind ?? ""} ${value.text.toLowerCase()}`;
    if (!found.has(key)) found.set(key, value);
  }
  return [...found.values()];
}

const LIST_MARK = /^([ \t>#]*(?:[-*•] +)?)(\d{1,3})[.)] +/;

/** A number at the start of a line is a list's where the list begins with it or has come so far. */
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
