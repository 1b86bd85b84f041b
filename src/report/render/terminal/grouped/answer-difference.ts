import { printable } from "../printable.ts";
import type { Theme } from "../theme.ts";
import type { CheckJson, VerdictJson } from "../../../json/verdict-schema.ts";

const BEFORE = 30;
const LONGEST = 90;

/** Expected and actual answer of `exact_match`, both cut around the first character that differs. */
export function answerDifference(
  { check, limit }: CheckJson,
  { answer }: VerdictJson,
  theme: Theme,
): readonly string[] {
  if (check !== "exact_match" || typeof limit !== "string" || answer === null || answer === undefined)
    return [];
  const expected = printable(limit, 2_000);
  const actual = printable(answer, 2_000);
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const from = Math.max(0, at - BEFORE);
  const cut = (text: string): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + LONGEST)}${text.length > from + LONGEST ? "…" : ""}`;
  const indent = " ".repeat(5);
  return [
    theme.bad(`${indent}- ${cut(expected)}`),
    theme.good(`${indent}+ ${cut(actual)}`),
    theme.dim(`${indent}  ${" ".repeat(at - from + (from > 0 ? 1 : 0))}^`),
  ];
}
