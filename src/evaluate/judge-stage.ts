import type { JsonValue } from "../model/json.ts";
import type { CheckResult } from "../model/verdict.ts";
import type { BoundCheck } from "../spec/compiled.ts";
import { type JudgeQuestion, questionsOf } from "./correctness/judged.ts";
import type { Assessment } from "./assessment.ts";
import { remedyFor } from "./remedies.ts";

/** What becomes of judge checks that nobody asks: left out by wish, or missing a judge. */
export interface Unasked {
  readonly judge: "off" | "incomplete";
  /** What to set so that a judge can be asked; names the variable. */
  readonly remedy?: string | undefined;
}

const SET_A_KEY =
  "Set the judge's key (ANTHROPIC_API_KEY or OPENAI_API_KEY, or the provider's own `key_env`), or pass --judge off to leave judge checks out.";

/** One judge question with the place it is written at. */
export interface BoundQuestion extends JudgeQuestion {
  readonly bound: BoundCheck;
}

/** The questions a query asks its judges, in the order of their stages as the registry lists them. */
export function judgeQuestions(judged: readonly BoundCheck[]): readonly BoundQuestion[] {
  return judged.flatMap((bound) =>
    questionsOf(bound.check, bound.limit).map((question) => ({ ...question, bound })),
  );
}

/** Results of the judge checks when no judge is asked: `skip` or `incomplete`, never a pass. */
export function withoutJudge(assessment: Assessment, unasked: Unasked): readonly CheckResult[] {
  return assessment.judged.flatMap((bound) => {
    const questions = judgeQuestions([bound]);
    if (questions.length === 0)
      return [unaskedResult(bound, bound.limit, "skip", `${bound.check.key}: false asks nothing`)];
    return questions.map((question) => unaskedQuestion(assessment, question, unasked));
  });
}

function unaskedQuestion(assessment: Assessment, question: BoundQuestion, unasked: Unasked): CheckResult {
  const { bound, limit } = question;
  const asked = `${JSON.stringify(question.rubric)} was not judged`;
  if (unasked.judge === "off") return unaskedResult(bound, limit, "skip", `${asked}: judges are off`);
  if (assessment.failed) return unaskedResult(bound, limit, "skip", `${asked}: a check before it failed`);
  if (assessment.run.answer === null) {
    const remedy = remedyFor("answer", assessment.run.dialects);
    return {
      ...unaskedResult(bound, limit, "incomplete", `${asked}: the answer was not captured`),
      missing: ["answer"],
      remedy,
    };
  }
  const result = unaskedResult(bound, limit, "incomplete", `${asked}: no judge is configured`);
  return { ...result, missing: ["judge"], remedy: unasked.remedy ?? SET_A_KEY };
}

function unaskedResult(
  { check, source }: BoundCheck,
  limit: unknown,
  outcome: "skip" | "incomplete",
  message: string,
): CheckResult {
  return {
    check: check.key,
    metric: check.metric,
    layer: check.layer,
    outcome,
    value: null,
    limit: limit as JsonValue,
    message,
    remedy: null,
    missing: [],
    spanIds: [],
    source,
    judge: null,
  };
}
