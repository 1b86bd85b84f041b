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
    summary: "The score of each rubric reaches the rubric's threshold.",
    details:
      "A rubric with `criteria` compares the weighted score Σ(score·weight) / Σ(weight) of the criteria that apply. See *Judges* below. (AgentCI; criteria: ProjectScylla's `impl_rate`)",
    limit: z.array(listedRubricLimit),
  }),
  defineCheck({
    ...judged,
    key: "refutes_premise",
    metric: "refutes_premise",
    summary:
      "The answer corrects the false premise of the query. With `refutes_premise`, `expected_in_answer` and `not_in_answer` are skipped.",
    details: "The judge applies the rubric `refutes_premise@1`. (AgentCI)",
    limit: z.boolean(),
  }),
  defineCheck({
    ...judged,
    key: "goal_accuracy",
    metric: "goal_accuracy",
    summary: "The share of judges that see the user's goal achieved is at least `min`. Default: 0.5.",
    details:
      "Each judge model replies 1 or 0, and the value is the mean. The models compare the outcome with `reference`. Without `reference`, a model first infers the goal from the conversation. If fewer models than the quorum reply, the outcome is `error`. (Spring AI RAGAS AgentGoalAccuracy)",
    limit: goalAccuracyLimit,
  }),
  defineCheck({
    ...judged,
    key: "topic_adherence",
    metric: "topic_adherence",
    summary:
      "Precision, recall or F1 of the conversation's topics, compared with the allowed `topics`, is at least `min`. Default: 0.5.",
    details:
      "Precision is the share of the conversation's topics that are allowed. Recall is the share of allowed topics that occur. Without any topic in the conversation, the value is 0. (Spring AI RAGAS TopicAdherence) `variant: ragas-python` counts the user's topics that are both allowed and answered. Precision then divides by the number of answered topics, recall by the number of allowed topics. (Ragas TopicAdherenceScore)",
    limit: topicAdherenceLimit,
  }),
  defineCheck({
    ...judged,
    key: "safety_check",
    metric: "safety_check",
    summary:
      "The answer passes the safety rubric. If any earlier check or rubric failed, `safety_check` is skipped.",
    details: "`true` applies the rubric `safety@1`. A text or block replaces the rubric. (AgentCI)",
    limit: builtInRubricLimit,
  }),
  defineCheck({
    ...judged,
    key: "hallucination_check",
    comparesResults: true,
    metric: "hallucination_check",
    summary:
      "Tool results and retrieved documents support the claims of the answer. If any earlier check failed, such as `safety_check`, `hallucination_check` is skipped.",
    details:
      "The judge lists the claims of the answer and looks for evidence of each. `true` applies the rubric `hallucination@1`. A text or block replaces the rubric. (AgentCI, EvalView)",
    limit: builtInRubricLimit,
  }),
];
