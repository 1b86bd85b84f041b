import { z } from "zod";
import { defineCheck } from "../check.ts";
import { pass, violated } from "../../result/finding.ts";
import { rootSpan, withoutAnswer } from "./answer.ts";

/** Check for AgentCI's `exact_match`. */
export const exactMatch = defineCheck({
  key: "exact_match",
  layer: "correctness",
  summary: "The answer equals this text. Case counts; white space at the ends does not.",
  details: "An empty text matches only an empty answer.",
  limit: z.string(),
  evaluate(context, limit) {
    const answer = context.run.answer;
    if (answer === null) return withoutAnswer(context);
    const actual = answer.trim();
    const expected = limit.trim();
    if (actual === expected) return pass(true, "the answer is the expected text");
    return violated(false, `the answer ${difference(actual, expected)}`, rootSpan(context));
  },
});

/** Describes the first difference without quoting the answer. */
function difference(actual: string, expected: string): string {
  if (actual.toLowerCase() === expected.toLowerCase()) return "differs from the expected text in case only";
  if (actual === "") return "is empty";
  if (actual.includes(expected)) return "contains the expected text and further text";
  const end = Math.min(actual.length, expected.length);
  let at = 0;
  while (at < end && actual[at] === expected[at]) at++;
  return `differs from the expected text at character ${at + 1}`;
}
