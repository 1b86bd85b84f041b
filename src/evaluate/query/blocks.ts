import { z } from "zod";
import { faultNames } from "../../model/fault-kinds.ts";
import { layers } from "../../model/outcome.ts";
import { patternText, refuseBadPattern } from "../../model/patterns/pattern-text.ts";
import { listedRubricLimit } from "../judge/prompt/limits.ts";
import type { Preset } from "../metrics/match-mode.ts";
import { isTemplate, parseTemplate } from "./template.ts";

/*
 * The blocks of a spec that are not checks. No transforms: editors get a JSON Schema made from these.
 */

const share = z.number().min(0).max(1);
const text = z.string().regex(/\S/, "text that is not blank");
const texts = z.array(z.string());

export const consequenceSchema = z.enum(["fail", "warn"]);
export type Consequence = z.infer<typeof consequenceSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A template, or a regular expression that RE2 can run. */
const matchPattern = text.superRefine((source, context) => {
  if (!isTemplate(source)) return refuseBadPattern(source, context);
  const result = parseTemplate(source);
  if (result.ok) return;
  context.addIssue({
    code: "custom",
    message: result.message,
    params: { code: "bad-pattern", hint: result.hint },
  });
});

export const matchSchema = z
  .strictObject({
    pattern: matchPattern
      .describe("RE2 regular expression, or a text with `{variable}` parts, that the run's query must match")
      .exactOptional(),
    similarity: z
      .number()
      .gt(0)
      .max(1)
      .describe("Also match queries at least this similar in wording, 0 to 1")
      .exactOptional(),
    where: z
      .record(z.string(), z.union([scalar, z.array(scalar).min(1)]))
      .describe("Attributes the run must have; a list means any of its values")
      .exactOptional(),
  })
  .describe("How runs find this query, beyond its id and text");

const atLeastOf = z.record(z.string().regex(/^[1-9]\d*$/, "a whole number of runs, k"), share);

export const reliabilitySchema = z
  .strictObject({
    min_runs: z.int().min(1).describe("Runs needed before anything is decided").exactOptional(),
    min_pass_rate: share.describe("Share of runs that must pass").exactOptional(),
    confidence: z
      .number()
      .gt(0)
      .lt(1)
      .describe("Compare the Wilson interval at this confidence, instead of the rate itself")
      .exactOptional(),
    sequential: z
      .boolean()
      .describe(
        "With `confidence`: decide by a test that may be looked at after every run, as `test --exec --runs auto` does, instead of by the interval",
      )
      .exactOptional(),
    pool: z
      .boolean()
      .describe(
        'Gate all runs of a query with `"*"`, `match.pattern` or `match.similarity` together; each text that was asked by itself when absent',
      )
      .exactOptional(),
    pass_at_k: atLeastOf.describe("k → least probability that one of k runs passes").exactOptional(),
    pass_hat_k: atLeastOf.describe("k → least probability that all of k runs pass").exactOptional(),
    min_mean_score: z
      .number()
      .min(0)
      .max(100)
      .describe("Least mean of the runs' scores, 0 to 100; needs `scoring`")
      .exactOptional(),
    max_std_dev: z
      .number()
      .min(0)
      .describe("Greatest sample standard deviation of the runs' scores; needs `scoring`")
      .exactOptional(),
  })
  .describe(
    "What repeated runs must reach together; a pass rate, pass@k or pass^k replaces the failures of single runs",
  );
export type Reliability = z.infer<typeof reliabilitySchema>;

export const resilienceSchema = z
  .strictObject({
    expect: z
      .enum(["recovered", "degraded"])
      .describe("The worst outcome that passes; `recovered` when absent")
      .exactOptional(),
    faults: z
      .array(z.enum(faultNames))
      .min(1)
      .describe("Kinds of faults that the query is tried with; all but `slow` when absent")
      .exactOptional(),
  })
  .describe("What `tracejury resilience` requires of runs whose model fails on purpose");
export type Resilience = z.infer<typeof resilienceSchema>;

export const simulateSchema = z
  .strictObject({
    goal: text.describe("What the user wants to have in the end"),
    persona: text
      .describe("Who the user is, how they write, and what they know and answer when asked")
      .exactOptional(),
    max_turns: z
      .int()
      .min(1)
      .max(50)
      .describe("Most messages of the user, including those of `turns`; 8 when absent")
      .exactOptional(),
    seed: z.int().min(0).describe("Repeated runs count up from it; 1 when absent").exactOptional(),
    model: text
      .describe("Who plays the user, `provider/model`; the spec's judge model when absent")
      .exactOptional(),
  })
  .describe("A user played by a judge model, who goes on after `turns`, or after `query`");
export type Simulate = z.infer<typeof simulateSchema>;

const weightsSchema = z
  .strictObject({ tool_accuracy: share, output_quality: share, sequence_correctness: share })
  .refine((weights) => Math.abs(Object.values(weights).reduce((a, b) => a + b, 0) - 1) <= 0.001, {
    message: "the three weights must add up to 1",
  });

export const scoringSchema = z
  .strictObject({
    weights: weightsSchema.describe("Shares of the score; they add up to 1").exactOptional(),
    min_score: z.number().min(0).max(100).describe("Least score, 0 to 100").exactOptional(),
  })
  .describe("A weighted score from 0 to 100, beside the layers");
export type Scoring = z.infer<typeof scoringSchema>;

export const retrievalSchema = z
  .strictObject({
    tool: text.describe("The retrieving tool; all retrievals when absent").exactOptional(),
    forbid_empty: z.boolean().describe("Every retrieval must return something").exactOptional(),
    min_results: z.int().min(0).describe("Documents each retrieval returns at least").exactOptional(),
    max_results: z.int().min(0).describe("Documents each retrieval returns at most").exactOptional(),
    min_score: z.number().describe("Least score of the best document").exactOptional(),
    expected_sources: texts.describe("Ids or sources that must be among the documents").exactOptional(),
    facts_in_context: texts.describe("Texts that must be in the retrieved documents").exactOptional(),
    result_format: z
      .enum(["auto", "json", "text"])
      .describe("How the tool writes its result")
      .exactOptional(),
    empty_markers: texts.describe("Results that mean nothing was found").exactOptional(),
    refusal_markers: texts.describe("Answers that mean the agent declined").exactOptional(),
  })
  .describe("What the retriever returned");
export type RetrievalBlock = z.infer<typeof retrievalSchema>;

const stepKinds = ["agent", "model", "tool", "retrieval", "handoff", "guardrail"] as const;
const agentciKinds = ["TOOL", "NODE", "HANDOFF", "GUARDRAIL", "LLM"] as const;

export const spanAssertionSchema = z
  .strictObject({
    kind: z
      .enum([...stepKinds, ...agentciKinds])
      .describe("Which steps")
      .exactOptional(),
    name: text.describe("Name of the tool, model, agent or guardrail").exactOptional(),
    field: text.describe("Dotted path of the value to look at, such as `result.status`").exactOptional(),
    equals: z.json().describe("The value is this").exactOptional(),
    includes: z
      .record(z.string(), z.json())
      .describe("The value is an object that has these entries, others beside them")
      .exactOptional(),
    contains: z.string().describe("The value has this text in it").exactOptional(),
    not_contains: z.string().describe("The value has not this text in it").exactOptional(),
    regex: patternText.describe("The value matches this RE2 pattern").exactOptional(),
    min_count: z.int().min(0).describe("Steps there must be at least").exactOptional(),
    max_count: z.int().min(0).describe("Steps there may be at most").exactOptional(),
    some: z.boolean().describe("One step that fulfils it is enough; absent: every step must").exactOptional(),
    judge: listedRubricLimit.describe("A rubric that the value must pass").exactOptional(),
  })
  .describe("An assertion on every step of a kind and name");
export type SpanAssertion = z.infer<typeof spanAssertionSchema>;

export const waiverSchema = z
  .strictObject({
    query: text.describe("Id or text of the query; all queries when absent").exactOptional(),
    check: text.describe("Check or layer that is waived; all when absent").exactOptional(),
    owner: text.describe("Who answers for it"),
    reason: text.describe("Why it is acceptable"),
    expires: z.iso
      .date("a day, as in 2026-12-31")
      .describe("Last day of the waiver; afterwards the violation counts"),
  })
  .describe("A failure accepted for a while");
export type Waiver = z.infer<typeof waiverSchema>;

export const presets = [
  "agentci",
  "evalview",
  "langchain",
  "ragas",
  "promptfoo",
] as const satisfies readonly Preset[];

/** Checks of the blocks beside the layers, as `severity` and waivers name them. */
export const blockCheckKeys: readonly string[] = [
  "spans",
  "scoring.min_score",
  ...["forbid_empty", "min_results", "max_results", "min_score", "expected_sources", "facts_in_context"].map(
    (key) => `retrieval.${key}`,
  ),
];

/** `severity:` of a query or spec: layers and checks by name, or checks below their layer. */
export function severitySchema(checkKeys: readonly string[]) {
  const byCheck = Object.fromEntries(checkKeys.map((key) => [key, consequenceSchema.exactOptional()]));
  const layer = z.union([consequenceSchema, z.strictObject(byCheck)]).exactOptional();
  const byLayer = Object.fromEntries(layers.map((name) => [name, layer]));
  return z.strictObject({ ...byCheck, ...byLayer }).describe("What a violation means, by layer or check");
}
