import { z } from "zod";

const ensembleStrategies = ["majority_vote", "mean", "median", "min", "max", "consensus"] as const;
export type EnsembleStrategy = (typeof ensembleStrategies)[number];

const model = z.string().min(1);

/** Schema of `judge_config.ensemble`. */
export const ensembleSchema = z
  .looseObject({
    enabled: z.boolean().exactOptional().describe("true: the ensemble judges every run. Default: false"),
    models: z
      .array(model)
      .min(1)
      .exactOptional()
      .describe("Judge models, preferably from several families; a model listed twice votes twice"),
    strategy: z
      .enum(ensembleStrategies)
      .exactOptional()
      .describe("Rule that combines the votes of the judges. Default: majority_vote"),
    max_votes: z
      .int()
      .min(1)
      .max(15)
      .exactOptional()
      .describe(
        "With `strategy: consensus`, the maximum number of votes; judges are called again while they disagree or are not sure",
      ),
    quorum: z
      .int()
      .min(1)
      .exactOptional()
      .describe(
        "Minimum number of judges that must reply. Default: more than half of the judges. With fewer replies, the outcome of the check is `error`; if too few judges have an API key, `incomplete`",
      ),
  })
  .superRefine(({ models = [], quorum = 1 }, context) => {
    if (quorum <= models.length || models.length === 0) return;
    const message = `a quorum of ${quorum} can never be reached: the ensemble has ${models.length} models`;
    context.addIssue({
      code: "custom",
      path: ["quorum"],
      message,
      params: { hint: `write at most ${models.length}, or add models` },
    });
  });

/** Schema of `judge_config.cascade`. */
const cascadeSchema = z.strictObject({
  first: model.describe("A cheaper model that judges each rubric first"),
  trust: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .describe(
      "`first` decides alone if `judge-audit` found `first` right about at least this share of the labelled answers with the same score. Default: 0.9",
    ),
});

/** Schema of a spec's `judge_config`. Unknown keys are accepted, as in AgentCI, because other tools may use them. */
export const judgeSettingsSchema = z.looseObject({
  model: model
    .exactOptional()
    .describe(
      "`provider/model`. For a name without provider, the provider is Anthropic if the name begins with claude, otherwise OpenAI",
    ),
  temperature: z.number().min(0).max(2).exactOptional().describe("Sampling temperature. Default: 0"),
  max_tokens: z
    .int()
    .positive()
    .exactOptional()
    .describe("Maximum number of tokens of a reply. Default: 1024"),
  structured_output: z
    .boolean()
    .exactOptional()
    .describe("false: requests JSON in the prompt only, without the provider's structured output"),
  cascade: cascadeSchema
    .exactOptional()
    .describe(
      "A cheaper model, `first`, judges first. The other judges are called only if `first` fails or is not sure. Without results of `judge-audit`, `first` is not sure if its score is near the limit; with results, `first` is sure if human labels agreed with at least the share `trust` of its scores",
    ),
  ensemble: ensembleSchema.exactOptional().describe("Several judges with combined votes"),
});

export type JudgeSettings = z.infer<typeof judgeSettingsSchema>;

/** Judge models of a rubric that names no model, and the rule that combines their votes. */
export interface Panel {
  readonly models: readonly string[];
  readonly strategy: EnsembleStrategy;
  readonly maxVotes: number;
  /** Number of judges that must reply; undefined for more than half of the judges. */
  readonly quorum: number | undefined;
}

/** Cheaper model that judges each rubric first. If the cheaper model is sure, the other judges are not called. */
export interface Cascade {
  readonly first: string;
  readonly trust: number;
}

export function cascadeOf({ cascade }: JudgeSettings): Cascade | null {
  return cascade === undefined ? null : { first: cascade.first, trust: cascade.trust ?? 0.9 };
}

/**
 * Returns the panel of judges for a run.
 * @param sampled whether `--sample-ensemble` selected the run; null without this option
 */
export function panelOf(settings: JudgeSettings, defaultModel: string, sampled: boolean | null): Panel {
  const { ensemble } = settings;
  const strategy = ensemble?.strategy ?? "majority_vote";
  const models = ensemble?.models ?? [];
  const quorum = ensemble?.quorum;
  if (models.length > 0 && (sampled ?? ensemble?.enabled ?? false))
    return { models, strategy, maxVotes: Math.max(ensemble?.max_votes ?? 0, models.length), quorum };
  return { ...singlePanel(settings.model ?? defaultModel), quorum };
}

/** Returns a panel of one judge, whose score decides whatever the judge's label is. */
export function singlePanel(model: string): Panel {
  return { models: [model], strategy: "mean", maxVotes: 1, quorum: undefined };
}
