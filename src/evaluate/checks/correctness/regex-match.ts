import type { Pattern } from "../../../model/patterns/pattern.ts";
import { patternText } from "../../../model/patterns/pattern-text.ts";
import { defineCheck } from "../check.ts";
import { known, pass, violated } from "../../result/finding.ts";
import { specPattern } from "../../rules/spec-pattern.ts";
import { answerSpans, withoutAnswer } from "./answer.ts";

/**
 * AgentCI `regex_match`: the pattern occurs anywhere in the answer; case counts and `.` stops at a newline. Under
 * `preset: evalview` case is ignored and `.` goes on.
 */
export const regexMatch = defineCheck({
  key: "regex_match",
  layer: "correctness",
  metric: "regex_match",
  summary: "The pattern (RE2) occurs somewhere in the answer.",
  details:
    "Searched anywhere; case counts and `.` stops at a line break; `(?i)` and `(?s)` change that, and so does `preset: evalview`. `\\w`, `\\d`, `\\s` know all scripts, `\\b` only ASCII. Look-around and back-references are refused. (AgentCI)",
  limit: patternText,
  undoable: true,
  prepare(limit, { preset }) {
    const compiled = specPattern(limit, preset === "evalview");
    const matches = known(pass(true, "the answer matches the pattern"));
    return (context) => {
      const answer = context.run.answer;
      if (answer === null) return withoutAnswer(context);
      if (!compiled.ok) {
        const message = `the pattern cannot be run: ${compiled.problem.message}`;
        return { outcome: "error", value: null, message };
      }
      if (occurs(compiled.pattern, answer)) return matches;
      return violated(false, `the answer does not match ${limit}`, answerSpans(context));
    };
  },
});

/** As Python's `re.search`, where a dollar sign also stands before a newline that ends the text. */
function occurs(pattern: Pattern, answer: string): boolean {
  if (pattern.test(answer)) return true;
  return pattern.source.includes("$") && answer.endsWith("\n") && pattern.test(answer.slice(0, -1));
}
