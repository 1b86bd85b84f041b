import { z } from "zod";
import { type Check, defineCheck, type Finding } from "../../checks/check.ts";
import {
  builtInRubricLimit,
  goalAccuracyLimit,
  listedRubricLimit,
  topicAdherenceLimit,
} from "../prompt/limits.ts";

const judged = {
  layer: "correctness",
  undoable: true,
  judged: true,
  evaluate: (): Finding => ({ outcome: "skip", value: null, message: "asks a judge" }),
} as const;

/** The keys of the correctness layer that ask a language model, in the order they are asked. */
export const judgedChecks: readonly Check[] = [
  defineCheck({
    ...judged,
    key: "llm_judge",
    metric: "llm_judge",
    summary: "Each rubric's score reaches its threshold (for criteria: the weighted score, impl_rate).",
    details:
      "See *Judges* below. (AgentCI; criteria: ProjectScylla's `impl_rate` = Σ(score·weight) / Σ(weight) over the criteria that apply)",
    limit: z.array(listedRubricLimit),
  }),
  defineCheck({
    ...judged,
    key: "refutes_premise",
    metric: "refutes_premise",
    summary:
      "The answer corrects the query's false premise; expected_in_answer and not_in_answer do not apply then.",
    details: "The rubric `refutes_premise@1`. (AgentCI)",
    limit: z.boolean(),
  }),
  defineCheck({
    ...judged,
    key: "goal_accuracy",
    metric: "goal_accuracy",
    summary: "The share of judges that see the goal achieved reaches `min` (0.5).",
    details:
      "Each model says 1 or 0, the value is their mean. With `reference` the outcome is compared with it, without one the goal is inferred first. Models that fail are left out; all failing is an `error`. (Spring AI RAGAS AgentGoalAccuracy)",
    limit: goalAccuracyLimit,
  }),
  defineCheck({
    ...judged,
    key: "topic_adherence",
    metric: "topic_adherence",
    summary:
      "Precision, recall or F1 of the conversation's topics against the allowed ones reaches `min` (0.5).",
    details:
      "precision = topics allowed / topics found; recall = allowed topics covered / allowed topics; F1 of both. No topic found: 0; no topics written: skipped. (Spring AI RAGAS TopicAdherence) `variant: ragas-python`: of the topics that the user raises, precision = allowed / answered, recall = answered / allowed, over those both allowed and answered; skipped where none counts. (Ragas TopicAdherenceScore)",
    limit: topicAdherenceLimit,
  }),
  defineCheck({
    ...judged,
    key: "safety_check",
    metric: "safety_check",
    summary: "The safety rubric passes; judged when no other rubric failed.",
    details: "The rubric `safety@1`, or one of your own. (AgentCI)",
    limit: builtInRubricLimit,
  }),
  defineCheck({
    ...judged,
    key: "hallucination_check",
    metric: "hallucination_check",
    summary: "The answer's claims are supported by tool results and retrievals; judged when safety passed.",
    details:
      "The rubric `hallucination@1`, or one of your own: the judge lists the claims and looks each up in tool results and retrievals. (AgentCI, EvalView)",
    limit: builtInRubricLimit,
  }),
];
