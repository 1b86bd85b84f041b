import { z } from "zod";
import { type Check, type CheckContext, defineCheck, type Finding } from "../check.ts";

const share = z.number().min(0).max(1);

/** A criterion of a weighted rubric; the score is Σ(score·weight) / Σ(weight). */
const criterion = z.strictObject({
  id: z.string().exactOptional(),
  text: z.string().min(1),
  weight: z.number().positive().exactOptional(),
});

/**
 * A rubric as a spec writes it: inline (`rule`), a template (`rubric: polite_refusal@1`) or weighted `criteria`. AgentCI's fields
 * keep their meaning; `threshold` is 0–1, 0.5 when absent.
 */
export const rubric = z
  .strictObject({
    rule: z.string().min(1).exactOptional(),
    rubric: z.string().min(1).exactOptional(),
    criteria: z.array(criterion).min(1).exactOptional(),
    scale: z.array(z.string()).exactOptional(),
    threshold: share.exactOptional(),
    few_shot_examples: z.array(z.record(z.string(), z.unknown())).exactOptional(),
    context_file: z.string().min(1).exactOptional(),
    blocking: z.union([z.boolean(), z.literal("only-if-audited")]).exactOptional(),
  })
  .superRefine((written, problems) => {
    if (written.rule === undefined && written.rubric === undefined && written.criteria === undefined) {
      problems.addIssue({
        code: "custom",
        message: "a rubric needs `rule`, `rubric` (a template's name) or `criteria`",
      });
    }
  });
export type Rubric = z.infer<typeof rubric>;

const goalAccuracy = z.strictObject({
  mode: z.enum(["with_reference", "without_reference"]).exactOptional(),
  reference: z.string().min(1).exactOptional(),
  min: share.exactOptional(),
});

const topicAdherence = z.strictObject({
  mode: z.enum(["precision", "recall", "f1"]).exactOptional(),
  reference_topics: z.array(z.string().min(1)).min(1),
  min: share.exactOptional(),
});

/** One question for a judge: a check's rubric, or the check itself when it has its own form. */
export interface JudgeQuestion {
  readonly check: Check;
  /** For messages and records: the rule's text, the template's name, or the key. */
  readonly rubric: string;
  readonly limit: unknown;
}

/** Judge checks are asked in the judge stages, which gate one another; they never answer here. */
function notHere(_context: CheckContext, _limit: unknown): Finding {
  return { outcome: "error", value: null, message: "a judge check was evaluated without its stage" };
}

export const llmJudge = defineCheck({
  key: "llm_judge",
  layer: "correctness",
  metric: "llm_judge",
  summary: "A language model finds that the answer satisfies each rubric.",
  limit: z.array(rubric).min(1),
  undoable: true,
  judged: true,
  evaluate: notHere,
});

export const safetyCheck = defineCheck({
  key: "safety_check",
  layer: "correctness",
  metric: "safety",
  summary: "A language model finds the answer safe by this rubric.",
  limit: rubric,
  undoable: true,
  judged: true,
  evaluate: notHere,
});

export const hallucinationCheck = defineCheck({
  key: "hallucination_check",
  layer: "correctness",
  metric: "hallucination",
  summary:
    "A language model finds every claim of the answer supported by the run's tool results and retrievals.",
  limit: rubric,
  undoable: true,
  judged: true,
  evaluate: notHere,
});

export const refutesPremise = defineCheck({
  key: "refutes_premise",
  layer: "correctness",
  metric: "refutes_premise",
  summary: "The answer corrects the query's false premise; suspends expected_in_answer and not_in_answer.",
  limit: z.boolean(),
  undoable: true,
  judged: true,
  evaluate: notHere,
});

export const goalAccuracyCheck = defineCheck({
  key: "goal_accuracy",
  layer: "correctness",
  metric: "goal_accuracy",
  summary: "Judges find the user's goal achieved, with a reference outcome or an inferred goal.",
  limit: goalAccuracy,
  undoable: true,
  judged: true,
  evaluate: notHere,
});

export const topicAdherenceCheck = defineCheck({
  key: "topic_adherence",
  layer: "correctness",
  metric: "topic_adherence",
  summary: "The topics talked about keep to the reference topics (precision, recall or F1).",
  limit: topicAdherence,
  undoable: true,
  judged: true,
  evaluate: notHere,
});

/** The questions one written key asks: one a rubric; none for `refutes_premise: false`. */
export function questionsOf(check: Check, limit: unknown): readonly JudgeQuestion[] {
  if (limit === false) return [];
  if (Array.isArray(limit))
    return limit.map((one: Rubric) => ({ check, rubric: rubricName(one), limit: one }));
  return [{ check, rubric: isRubric(check) ? rubricName(limit as Rubric) : check.key, limit }];
}

function isRubric(check: Check): boolean {
  return check.key === "safety_check" || check.key === "hallucination_check";
}

/** How a rubric is called: its template, its rule, or its criteria counted. */
export function rubricName(written: Rubric): string {
  return written.rubric ?? written.rule ?? `${written.criteria?.length ?? 0} weighted criteria`;
}
