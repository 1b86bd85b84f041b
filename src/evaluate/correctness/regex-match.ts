import { z } from "zod";
import { defineCheck } from "../check.ts";
import { pass, violated } from "../finding.ts";
import { compilePattern } from "../regex.ts";
import { answerSpans, withoutAnswer } from "./answer.ts";

/** A pattern that runs in linear time; anything else is refused where it is written. */
export const patternText = z.string().superRefine((text, problems) => {
  const compiled = compilePattern(text);
  if (!compiled.ok)
    problems.addIssue({ code: "custom", message: `not a pattern that can be run: ${compiled.reason}` });
});

/**
 * AgentCI `regex_match`: the pattern occurs anywhere in the answer; case counts and `.` stops at a newline. Under
 * `preset: evalview` case is ignored and `.` goes on.
 */
export const regexMatch = defineCheck({
  key: "regex_match",
  layer: "correctness",
  metric: "regex_match",
  summary: "The pattern (RE2) occurs somewhere in the answer.",
  limit: patternText,
  undoable: true,
  evaluate(context, limit) {
    const answer = context.run.answer;
    if (answer === null) return withoutAnswer(context);
    const compiled = compilePattern(limit, { evalview: context.preset === "evalview" });
    if (!compiled.ok)
      return { outcome: "error", value: null, message: `the pattern cannot be run: ${compiled.reason}` };
    if (compiled.pattern.test(answer)) return pass(true, "the answer matches the pattern");
    return violated(false, `the answer does not match ${limit}`, answerSpans(context));
  },
});
