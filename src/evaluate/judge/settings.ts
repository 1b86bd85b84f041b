import { z } from "zod";

const ensembleStrategies = ["majority_vote", "mean", "median", "min", "max", "consensus"] as const;
export type EnsembleStrategy = (typeof ensembleStrategies)[number];

const model = z.string().min(1);

/** `judge_config.ensemble`. */
export const ensembleSchema = z
  .looseObject({
    enabled: z.boolean().exactOptional().describe("Every run is put to the ensemble; false when absent"),
    models: z
      .array(model)
      .min(1)
      .exactOptional()
      .describe("From several families; a model listed twice votes twice"),
    strategy: z.enum(ensembleStrategies).exactOptional().describe("majority_vote when absent"),
    max_votes: z
      .int()
      .min(1)
      .max(15)
      .exactOptional()
      .describe("consensus: ask again up to this many while judges disagree"),
    quorum: z
      .int()
      .min(1)
      .exactOptional()
      .describe(
        "Judges that must reply; more than half when absent. With fewer the check is `error` where calls failed, `incomplete` where keys are missing",
      ),
  })
  .superRefine(({ models = [], quorum = 1 }, context) => {
    if (quorum <= models.length || models.length === 0) return;
    const message = `a quorum of ${quorum} can never reply: the ensemble has ${models.length} models`;
    context.addIssue({
      code: "custom",
      path: ["quorum"],
      message,
      params: { hint: `write at most ${models.length}, or add models` },
    });
  });

/** `judge_config.cascade`. */
const cascadeSchema = z.strictObject({
  first: model.describe("A cheaper model that judges each rubric first"),
  trust: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .describe(
      "Share of labelled answers with the same score that judge-audit must have found it right about to decide alone; 0.9 when absent",
    ),
});

/** `judge_config` of a spec; keys of other tools are let through, as AgentCI does. */
export const judgeSettingsSchema = z.looseObject({
  model: model
    .exactOptional()
    .describe("`provider/model`; a bare name is Anthropic's when it begins with claude, else OpenAI's"),
  temperature: z.number().min(0).max(2).exactOptional().describe("0 when absent"),
  max_tokens: z.int().positive().exactOptional().describe("Longest reply; 1024 when absent"),
  structured_output: z.boolean().exactOptional().describe("false: ask for JSON in words only"),
  cascade: cascadeSchema
    .exactOptional()
    .describe("A cheaper model first; the others only where it is not sure"),
  ensemble: ensembleSchema.exactOptional().describe("Several judges, whose votes are counted together"),
});

export type JudgeSettings = z.infer<typeof judgeSettingsSchema>;

/** The models a rubric without its own is put to, and how their votes are counted. */
export interface Panel {
  readonly models: readonly string[];
  readonly strategy: EnsembleStrategy;
  readonly maxVotes: number;
  /** Judges that must reply, as written; see `quorumOf`. */
  readonly quorum: number | undefined;
}

/** A model that answers before the judges of a rubric, which answer only where it is unsure. */
export interface Cascade {
  readonly first: string;
  readonly trust: number;
}

export function cascadeOf({ cascade }: JudgeSettings): Cascade | null {
  return cascade === undefined ? null : { first: cascade.first, trust: cascade.trust ?? 0.9 };
}

/** `sampled`: whether `--sample-ensemble` chose this run; null when the flag was not given. */
export function panelOf(settings: JudgeSettings, defaultModel: string, sampled: boolean | null): Panel {
  const { ensemble } = settings;
  const strategy = ensemble?.strategy ?? "majority_vote";
  const models = ensemble?.models ?? [];
  const quorum = ensemble?.quorum;
  if (models.length > 0 && (sampled ?? ensemble?.enabled ?? false))
    return { models, strategy, maxVotes: Math.max(ensemble?.max_votes ?? 0, models.length), quorum };
  return { ...singlePanel(settings.model ?? defaultModel), quorum };
}

/** One judge: its score decides, its label does not. */
export function singlePanel(model: string): Panel {
  return { models: [model], strategy: "mean", maxVotes: 1, quorum: undefined };
}
