import { z } from "zod";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { pass, skip, violated } from "../finding.ts";
import { quoted } from "../text.ts";
import { answerSpans, foldTerms, termsWhere, withoutAnswer } from "./answer.ts";

const terms = z.array(z.string());

/** AgentCI `expected_in_answer`: every term is a substring of the answer, case ignored. An empty list passes. */
export const expectedInAnswer = defineCheck({
  key: "expected_in_answer",
  layer: "correctness",
  metric: "expected_in_answer",
  summary: "Every term occurs in the answer; case is ignored.",
  limit: terms,
  undoable: true,
  evaluate(context, limit) {
    if (refutes(context)) return suspended();
    const answer = context.metrics.foldedAnswer;
    if (answer === null) return withoutAnswer(context);
    const absent = everyTerm(limit, answer) ? [] : termsWhere(limit, answer, false);
    if (absent.length === 0) return pass(true, "the answer has every expected term");
    return violated(false, `the answer lacks ${quoted(absent)}`, answerSpans(context));
  },
});

/** AgentCI `any_expected_in_answer`: at least one term is a substring of the answer, case ignored. */
export const anyExpectedInAnswer = defineCheck({
  key: "any_expected_in_answer",
  layer: "correctness",
  metric: "any_expected_in_answer",
  summary: "At least one term occurs in the answer; case is ignored.",
  limit: z.array(z.string()).min(1),
  undoable: true,
  evaluate(context, limit) {
    const answer = context.metrics.foldedAnswer;
    if (answer === null) return withoutAnswer(context);
    const lower = foldTerms(limit);
    for (let at = 0; at < lower.length; at++) {
      if (answer.includes(lower[at] ?? "")) return pass(true, `the answer has ${JSON.stringify(limit[at])}`);
    }
    return violated(false, `the answer has none of ${quoted(limit)}`, answerSpans(context));
  },
});

/** AgentCI `not_in_answer`: no term is a substring of the answer, case ignored. */
export const notInAnswer = defineCheck({
  key: "not_in_answer",
  layer: "correctness",
  metric: "not_in_answer",
  summary: "No term occurs in the answer; case is ignored.",
  limit: terms,
  undoable: false,
  evaluate(context, limit) {
    if (refutes(context)) return suspended();
    const answer = context.metrics.foldedAnswer;
    if (answer === null) return withoutAnswer(context);
    if (!someTerm(limit, answer)) return pass(true, "no forbidden term in the answer");
    const present = termsWhere(limit, answer, true);
    return violated(false, `the answer has ${quoted(present)}, which must not occur`, answerSpans(context));
  },
});

function everyTerm(limit: readonly string[], answer: string): boolean {
  return foldTerms(limit).every((term) => answer.includes(term));
}

function someTerm(limit: readonly string[], answer: string): boolean {
  return foldTerms(limit).some((term) => answer.includes(term));
}

/** AgentCI: an agent that is to correct a false premise has to name what it denies, so the word lists do not apply. */
function refutes(context: CheckContext): boolean {
  return context.settings["refutes_premise"] === true;
}

function suspended(): Finding {
  return skip("suspended by refutes_premise: a correction may use any of these words");
}
