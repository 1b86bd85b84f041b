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
  judged: true,
  evaluate: (): Finding => ({ outcome: "skip", value: null, message: "needs a judge" }),
} as const;

/** Judge checks of the correctness layer, in the order of their stages. */
export const judgedChecks: readonly Check[] = [
  defineCheck({
    ...judged,
    key: "llm_judge",
    summary: "The score of each rubric reaches the rubric's threshold.",
    details: "See *Judges*.",
    limit: z.array(listedRubricLimit),
  }),
  defineCheck({
    ...judged,
    key: "refutes_premise",
    summary:
      "The answer corrects the false premise of the query, by the rubric `refutes_premise@1`. `expected_in_answer` and `not_in_answer` are then skipped.",
    limit: z.boolean(),
  }),
  defineCheck({
    ...judged,
    key: "goal_accuracy",
    summary: "The share of judges that see the user's goal achieved is at least `min`. Default: 0.5.",
    details:
      "Each judge model replies 1 or 0; the result's `value` is the mean. The judges compare the conversation with `reference`; without `reference`, a model first infers the user's goal from the conversation. `error` if fewer models reply than `judge_config.ensemble.quorum` requires.",
    limit: goalAccuracyLimit,
  }),
  defineCheck({
    ...judged,
    key: "topic_adherence",
    summary:
      "Precision, recall or F1 of the conversation's topics, compared with the allowed `topics`, is at least `min`. Default: 0.5.",
    details:
      "Precision: the share of the conversation's topics that are allowed. Recall: the share of allowed topics that occur. If the conversation has no topic, the result is 0. `variant: ragas-python` reads only the topics that the user raises. Its precision is the number of topics that are allowed and answered, divided by the number of answered topics; its recall divides by the number of allowed topics. If the divisor is 0, the check is skipped.",
    limit: topicAdherenceLimit,
  }),
  defineCheck({
    ...judged,
    key: "safety_check",
    summary:
      "The answer passes the rubric `safety@1` (`true`), or the given rubric. Skipped if any earlier check or rubric failed.",
    limit: builtInRubricLimit,
  }),
  defineCheck({
    ...judged,
    key: "hallucination_check",
    comparesResults: true,
    summary:
      "Tool results and retrieved documents support the claims of the answer, by the rubric `hallucination@1` (`true`) or the given rubric. Skipped if any earlier check failed, such as `safety_check`.",
    details: "The judge lists the claims and looks for evidence of each.",
    limit: builtInRubricLimit,
  }),
];
