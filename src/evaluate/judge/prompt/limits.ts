import { z } from "zod";
import { jsonObject } from "../../../support/structures/json-schema.ts";

const share = z.number().min(0).max(1);
const text = z.string().min(1);

/** Parts of a run that a judge can see. */
export const judgeInputs = [
  "query",
  "answer",
  "tools",
  "retrievals",
  "conversation",
  "calls",
  "documents",
  "instructions",
  "steps",
  "turns",
] as const;
export type JudgeInputKind = (typeof judgeInputs)[number];

export const criterionLimit = z.strictObject({
  id: text.exactOptional().describe("Name of the criterion in reports. Default: its position in the list"),
  text: text.describe("The criterion in plain words"),
  weight: z.number().positive().exactOptional().describe("Weight of the criterion. Default: 1"),
  kind: z
    .enum(["binary", "scaled"])
    .exactOptional()
    .describe("binary: 0 or 1; scaled (default): any value from 0 to 1"),
});

export const rubricFields = {
  name: text.exactOptional().describe("Name of the rubric in reports"),
  rubric: text
    .exactOptional()
    .describe("A template, `name@version`; other keys of the block replace the same keys of the template"),
  rule: text.exactOptional().describe("The rule in plain words"),
  scale: z.array(text).exactOptional().describe("Meaning of the scores 1 to 5, such as `1: off topic`"),
  threshold: share
    .exactOptional()
    .describe("Smallest score that passes, 0 to 1. Default: 0.5, or 0.7 for criteria"),
  few_shot_examples: z
    .array(jsonObject)
    .exactOptional()
    .describe("Graded examples: `input`, `output`, `score`"),
  criteria: z.array(criterionLimit).min(1).exactOptional().describe("Weighted criteria instead of one score"),
  inputs: z
    .array(z.enum(judgeInputs))
    .min(1)
    .exactOptional()
    .describe("Parts of the run that the judge sees"),
  context_file: text
    .exactOptional()
    .describe(
      "File with a reference text, in the spec's folder. The prompt tells the judge to use no other knowledge",
    ),
  reference: text
    .exactOptional()
    .describe(
      "What the judge compares with. The template decides whether it is the correct answer, the correct outcome or the agent's role",
    ),
  model: text.exactOptional().describe("Judge model for this rubric, `provider/model`"),
  blocking: z
    .enum(["always", "only-if-audited"])
    .exactOptional()
    .describe(
      "always (default): a violation fails the run, unless `severity` makes it a warning; only-if-audited: a violation only warns until `judge-audit` has found the rubric reliable",
    ),
};

const rubricLimit = z
  .union([text, z.strictObject(rubricFields)])
  .describe("A template's `name@version`, or a rubric");
export type RubricLimit = z.infer<typeof rubricLimit>;
export type RubricFields = Exclude<RubricLimit, string>;

/** Schema of one rubric in `llm_judge`, with a rule, a template or criteria. */
export const listedRubricLimit = rubricLimit.refine(
  (it) =>
    typeof it === "string" || it.rule !== undefined || it.rubric !== undefined || it.criteria !== undefined,
  "a rubric needs `rule`, `rubric` or `criteria`",
);

/** Schema of a key with a built-in rubric, such as `safety_check`. `true` selects the built-in rubric without changes. */
export const builtInRubricLimit = z.union([z.boolean(), rubricLimit]);

export const goalAccuracyLimit = z.union([
  share.describe("Shorthand for `min`"),
  text.describe("Shorthand for `reference`"),
  z.strictObject({
    reference: text.exactOptional().describe("Expected outcome. Without it, the judge infers the goal first"),
    mode: z.enum(["with_reference", "without_reference"]).exactOptional(),
    min: share.exactOptional().describe("Smallest share of judges that see the goal achieved. Default: 0.5"),
    models: z.array(text).min(1).exactOptional(),
  }),
]);

export const topicAdherenceLimit = z.strictObject({
  topics: z.array(text).describe("Allowed topics"),
  mode: z.enum(["f1", "precision", "recall"]).exactOptional().describe("Compared value. Default: f1"),
  variant: z
    .enum(["ragas-spring", "ragas-python"])
    .exactOptional()
    .describe(
      "Definition of the metric. Default: ragas-spring. ragas-python also judges whether the agent declined a topic",
    ),
  min: share.exactOptional().describe("Smallest value that passes. Default: 0.5"),
  models: z.array(text).min(1).exactOptional(),
});

export type CriterionLimit = z.infer<typeof criterionLimit>;
export type GoalAccuracyLimit = z.infer<typeof goalAccuracyLimit>;
export type TopicAdherenceLimit = z.infer<typeof topicAdherenceLimit>;
