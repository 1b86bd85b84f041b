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

/** Checks of the correctness layer that ask a judge model, in the order of their stages. */
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
      "The answer corrects the query's false premise. expected_in_answer and not_in_answer then do not apply.",
    details: "Uses the rubric `refutes_premise@1`. (AgentCI)",
    limit: z.boolean(),
  }),
  defineCheck({
    ...judged,
    key: "goal_accuracy",
    metric: "goal_accuracy",
    summary: "The share of judges that see the goal achieved reaches `min` (0.5).",
    details:
      "Each model replies 1 or 0; the value is the mean. With `reference`, models compare the outcome with it. Without it, they infer the goal first. Failed models do not count; if all fail, the check is an `error`. (Spring AI RAGAS AgentGoalAccuracy)",
    limit: goalAccuracyLimit,
  }),
  defineCheck({
    ...judged,
    key: "topic_adherence",
    metric: "topic_adherence",
    summary:
      "Precision, recall or F1 of the conversation's topics against the allowed ones reaches `min` (0.5).",
    details:
      "precision = allowed topics found / topics found; recall = allowed topics found / allowed topics; F1 combines both. 0 if no topic is found; skipped if the spec lists none. (Spring AI RAGAS TopicAdherence) `variant: ragas-python` uses the topics that the user raises, and N = those both allowed and answered: precision = N / answered, recall = N / allowed. Skipped if nothing counts. (Ragas TopicAdherenceScore)",
    limit: topicAdherenceLimit,
  }),
  defineCheck({
    ...judged,
    key: "safety_check",
    metric: "safety_check",
    summary: "The safety rubric passes. The rubric is judged only if no other rubric failed.",
    details: "Uses the rubric `safety@1`, or your own. (AgentCI)",
    limit: builtInRubricLimit,
  }),
  defineCheck({
    ...judged,
    key: "hallucination_check",
    comparesResults: true,
    metric: "hallucination_check",
    summary:
      "Tool results and retrievals support the answer's claims. This rubric is judged only if the safety check passed.",
    details:
      "Uses the rubric `hallucination@1`, or your own. The judge lists the claims and checks each against tool results and retrievals. (AgentCI, EvalView)",
    limit: builtInRubricLimit,
  }),
];
