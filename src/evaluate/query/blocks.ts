import { z } from "zod";
import { namedRecord } from "../../support/structures/named-record.ts";
import { withEntries } from "../../support/structures/with-entries.ts";
import { faultNames } from "../../model/fault-kinds.ts";
import { layers } from "../../model/outcome.ts";
import { patternText, refuseBadPattern } from "../../model/patterns/pattern-text.ts";
import { listedRubricLimit } from "../judge/prompt/limits.ts";
import { isTemplate, parseTemplate } from "./template.ts";
import { jsonObject, jsonValue } from "../../support/structures/json-schema.ts";

/*
 * Schemas of the blocks of a spec that are not checks. The schemas contain no transforms, because a JSON Schema is derived from the
 * schemas.
 */

const share = z.number().min(0).max(1);
const text = z.string().regex(/\S/, "text that is not blank");
const texts = z.array(text);

export const consequenceSchema = z.enum(["fail", "warn"]);
export type Consequence = z.infer<typeof consequenceSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Schema of `match.pattern`: a template with `{variable}`, or an RE2 regular expression. */
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
      .describe(
        "RE2 regular expression that matches somewhere in the run's question, or a text with `{variable}` parts that matches the whole question",
      )
      .exactOptional(),
    similarity: z
      .number()
      .gt(0)
      .max(1)
      .describe("Minimum similarity of wording, 0 to 1, between a run's question and the query's text")
      .exactOptional(),
    where: namedRecord(z.string(), z.union([scalar, z.array(scalar).min(1)]))
      .describe(
        "Attributes that the run must have: name → value, or a list of values of which one is enough. A value equals the same text or the same number: `1.10` matches the number 1.1, but not the text `1.1`",
      )
      .exactOptional(),
  })
  .describe("Rules that match runs to the query, in addition to its id and text");

const atLeastOf = withEntries(
  namedRecord(z.string().regex(/^[1-9]\d*$/, "a whole number of runs, k"), share),
  "a minimum",
);

export const reliabilitySchema = z
  .strictObject({
    min_runs: z
      .int()
      .min(1)
      .describe("Minimum number of runs that passed or failed; with fewer, the gate is undecided")
      .exactOptional(),
    min_pass_rate: share.describe("Minimum share of the runs that must pass").exactOptional(),
    confidence: z
      .number()
      .gt(0)
      .lt(1)
      .describe(
        "Confidence, such as 0.95. With `confidence`, `min_pass_rate` is compared with the Wilson interval of the measured rate: the gate passes if the whole interval is at least `min_pass_rate`, fails if the whole interval is below, and is otherwise undecided",
      )
      .exactOptional(),
    sequential: z
      .boolean()
      .describe(
        "With `confidence`: true uses a sequential test, which stays valid if it is repeated after every run. `test --exec --runs auto` always uses the sequential test",
      )
      .exactOptional(),
    pool: z
      .boolean()
      .describe(
        'true: one gate for all questions that a query with `"*"`, `match.pattern` or `match.similarity` matches. Default: one gate for each question',
      )
      .exactOptional(),
    pass_at_k: atLeastOf
      .describe("k → minimum of pass@k, the probability that at least one of k runs passes")
      .exactOptional(),
    pass_hat_k: atLeastOf
      .describe("k → minimum of pass^k, the probability that all of k runs pass")
      .exactOptional(),
    min_mean_score: z
      .number()
      .min(0)
      .max(100)
      .describe("Minimum of the runs' mean score, 0 to 100; needs `scoring`")
      .exactOptional(),
    max_std_dev: z
      .number()
      .min(0)
      .describe("Maximum sample standard deviation of the runs' scores; needs `scoring`")
      .exactOptional(),
  })
  .describe(
    "Gate for repeated runs. With a pass rate, pass@k or pass^k, the gate decides instead of single failed runs",
  );
export type Reliability = z.infer<typeof reliabilitySchema>;

export const resilienceSchema = z
  .strictObject({
    expect: z
      .enum(["recovered", "degraded"])
      .describe("Worst outcome that passes. Default: `recovered`")
      .exactOptional(),
    faults: z
      .array(z.enum(faultNames))
      .min(1)
      .describe("Kinds of faults to inject. Default: all except `slow`")
      .exactOptional(),
  })
  .describe("Gate of `tracejury resilience` for runs with injected faults");
export type Resilience = z.infer<typeof resilienceSchema>;

export const simulateSchema = z
  .strictObject({
    goal: text.describe("The user's goal"),
    persona: text
      .describe("Who the user is, how the user writes, and what the user knows and answers")
      .exactOptional(),
    max_turns: z
      .int()
      .min(1)
      .max(50)
      .describe("Maximum number of user messages, including `turns`. Default: 8")
      .exactOptional(),
    seed: z
      .int()
      .min(0)
      .describe("Seed of the first run; each repeated run uses the next number. Default: 1")
      .exactOptional(),
    model: text
      .describe("Model that plays the user, `provider/model`. Default: the spec's judge model")
      .exactOptional(),
  })
  .describe("A judge model plays the user after `turns`, or after `query`");
export type Simulate = z.infer<typeof simulateSchema>;

/** Returns a function that is false if both limits are written, and the minimum is above the maximum. */
function isInOrder<Low extends string, High extends string>(low: Low, high: High) {
  return (written: { readonly [key in Low | High]?: number }): boolean =>
    (written[low] ?? 0) <= (written[high] ?? Infinity);
}

const weightsSchema = z
  .strictObject({ tool_accuracy: share, output_quality: share, sequence_correctness: share })
  .refine((weights) => Math.abs(Object.values(weights).reduce((a, b) => a + b, 0) - 1) <= 0.001, {
    message: "the three weights must add up to 1",
  });

export const scoringSchema = z
  .strictObject({
    weights: weightsSchema.describe("Weights of the score; the sum of the weights is 1").exactOptional(),
    min_score: z.number().min(0).max(100).describe("Minimum score of a run, 0 to 100").exactOptional(),
  })
  .describe("EvalView's weighted score from 0 to 100, in addition to the layers");
export type Scoring = z.infer<typeof scoringSchema>;

export const retrievalSchema = z
  .strictObject({
    tool: text.describe("Tool that retrieves. Default: all retrieval spans").exactOptional(),
    forbid_empty: z
      .boolean()
      .describe(
        "true: each retrieval returns at least one document. An empty retrieval is allowed if the answer has a text of `refusal_markers`; `incomplete` if the answer is unknown",
      )
      .exactOptional(),
    min_results: z.int().min(0).describe("Minimum number of documents of each retrieval").exactOptional(),
    max_results: z.int().min(0).describe("Maximum number of documents of each retrieval").exactOptional(),
    min_score: z.number().describe("Minimum score of each retrieval's best document").exactOptional(),
    expected_sources: texts
      .describe(
        "Ids or sources of documents, each of which must be retrieved. A source is a file, URL or title of the document or its metadata. A part of an id or source, between word boundaries, is enough: `doc-1` for `docs/doc-1.md`",
      )
      .exactOptional(),
    facts_in_context: texts
      .describe(
        "Texts, each of which must occur in a document, as whole words and numbers: `5 days` is not in `15 days`. Case, invisible characters and the amount of white space are ignored",
      )
      .exactOptional(),
    result_format: z
      .enum(["auto", "json", "text"])
      .describe("Format of the tool's result. Default: `auto`, which reads the result as JSON if possible")
      .exactOptional(),
    empty_markers: texts
      .describe(
        "Texts of a tool result that mean: nothing was found. Default: English texts such as `no results`",
      )
      .exactOptional(),
    refusal_markers: texts
      .describe(
        "Texts of an answer that mean: nothing was found. Default: English texts such as `could not find`",
      )
      .exactOptional(),
  })
  .refine(isInOrder("min_results", "max_results"), { message: "`min_results` is above `max_results`" })
  .describe("Checks on retrieved documents");
export type RetrievalBlock = z.infer<typeof retrievalSchema>;

export const stepKinds = ["agent", "model", "tool", "retrieval", "handoff", "guardrail"] as const;
const agentciKinds = ["TOOL", "NODE", "HANDOFF", "GUARDRAIL", "LLM"] as const;

export const spanAssertionSchema = z
  .strictObject({
    kind: z
      .enum([...stepKinds, ...agentciKinds])
      .describe(
        "Kind of the steps. AgentCI's names: `NODE` is `agent`, `LLM` is `model`; the others are the same in lower case",
      )
      .exactOptional(),
    name: text
      .describe(
        "Name of the tool, model, agent or guardrail; of a hand-off, the agent that takes over. Names of agents are compared as in `expected_handoff`, others exactly",
      )
      .exactOptional(),
    field: text
      .describe(
        "Dotted path of the value, such as `result.status`. Default: name and all fields of the step, as text",
      )
      .exactOptional(),
    equals: jsonValue
      .describe("The value is equal to this. The result `42` as text is equal to the number 42, too")
      .exactOptional(),
    includes: jsonObject
      .describe(
        "The value is an object with at least these entries; objects inside may have more entries, too, but lists must have the same length",
      )
      .exactOptional(),
    contains: z
      .string()
      .min(1)
      .describe(
        "The value contains this text; a number at the beginning or end of the text must be a complete number, as in `expected_in_answer`",
      )
      .exactOptional(),
    not_contains: z.string().min(1).describe("The value does not contain this text").exactOptional(),
    regex: patternText.describe("The value matches this RE2 pattern").exactOptional(),
    min_count: z
      .int()
      .min(0)
      .describe("Minimum number of steps of this kind and name. Default: 1, or 0 with `max_count`")
      .exactOptional(),
    max_count: z.int().min(0).describe("Maximum number of steps of this kind and name").exactOptional(),
    some: z
      .boolean()
      .describe(
        "true: one step that meets the condition is enough. Default: every step must meet the condition",
      )
      .exactOptional(),
    judge: listedRubricLimit
      .describe(
        "Rubric that the value must pass. Only the first 8 steps are judged; with more steps, a pass becomes `incomplete`",
      )
      .exactOptional(),
  })
  .refine(isInOrder("min_count", "max_count"), { message: "`min_count` is above `max_count`" })
  .describe("An assertion on the steps of a kind and name");
export type SpanAssertion = z.infer<typeof spanAssertionSchema>;

export const waiverSchema = z
  .strictObject({
    query: text.describe("Id or text of the query. Default: all queries").exactOptional(),
    check: text.describe("Check or layer to which the waiver applies. Default: all").exactOptional(),
    owner: text.describe("Person who is responsible"),
    reason: text.describe("Why the failure is acceptable"),
    expires: z.iso.date("a day, as in 2026-12-31").describe("Last day of the waiver, such as 2027-03-31"),
  })
  .describe("A violation that is accepted until a date");
export type Waiver = z.infer<typeof waiverSchema>;

/** Keys of checks in blocks outside the layers, as used in `severity` and waivers. */
export const blockCheckKeys: readonly string[] = [
  "spans",
  "scoring.min_score",
  ...["forbid_empty", "min_results", "max_results", "min_score", "expected_sources", "facts_in_context"].map(
    (key) => `retrieval.${key}`,
  ),
];

/**
 * Returns the schema of `severity:` in a query or spec. Keys are checks (`max_loops: fail`) or layers (`cost: fail`). The value of a layer
 * can be a map of its checks (`path: { max_loops: fail }`).
 */
export function severitySchema(checkKeys: readonly string[]) {
  const byCheck = Object.fromEntries(checkKeys.map((key) => [key, consequenceSchema.exactOptional()]));
  const layer = z.union([consequenceSchema, z.strictObject(byCheck)]).exactOptional();
  const byLayer = Object.fromEntries(layers.map((name) => [name, layer]));
  return z.strictObject({ ...byCheck, ...byLayer }).describe("Outcome of a violation, by layer or check");
}
