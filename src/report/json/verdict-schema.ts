import { z } from "zod";
import { type Layer, layers, outcomes } from "../../model/outcome.ts";
import { reasonCodes } from "../../model/verdict.ts";
import { jsonObject, jsonValue } from "../../support/structures/json-schema.ts";

const count = z.int().min(0);

const source = z.strictObject({ file: z.string(), line: z.int().min(1), column: z.int().min(1) });

const vote = z.strictObject({
  model: z.string(),
  score: z.number().nullable(),
  label: z.string().nullable(),
  rationale: z.string().nullable(),
  error: z.string().nullable(),
});

const firstJudge = z.strictObject({
  model: z.string(),
  score: z.number().nullable(),
  label: z.string(),
  decided: z.boolean().describe("Whether this reply decided, so that the rubric's judges were not called"),
  why: z.string(),
});

const judge = z.strictObject({
  rubric: z.string(),
  model: z.string(),
  score: z.number().nullable(),
  label: z.string().nullable(),
  rationale: z.string().nullable(),
  votes: z.array(vote),
  duration_ms: z.number().min(0),
  cached: z.boolean(),
  prompt_hash: z.string(),
  first: firstJudge
    .describe("Reply of `judge_config.cascade.first`; absent without a usable reply")
    .exactOptional(),
});

const waiver = z.strictObject({
  owner: z.string(),
  reason: z.string(),
  expires: z.string().describe("Last day on which the waiver is valid, YYYY-MM-DD"),
});

const reason = z.strictObject({
  code: z.enum(reasonCodes),
  step: z.int().min(1).nullable().describe("Number of the call in the run, from 1"),
  expected: z.string().nullable(),
  actual: z.string().nullable(),
});

const check = z.strictObject({
  check: z.string().describe("The key written in the spec"),
  metric: z.string().describe("Quantity that the check measures; if there is none, the key of the check"),
  outcome: z.enum(outcomes),
  value: jsonValue.describe("The measured value, unrounded; null if unknown"),
  limit: jsonValue.describe("The limit as the spec writes it"),
  message: z.string(),
  remedy: z
    .string()
    .nullable()
    .describe(
      "What the user can do to get another outcome, mostly for incomplete and error; null if nothing is known",
    ),
  missing: z.array(z.string()).describe("Fields of the run that the telemetry lacks"),
  span_ids: z.array(z.string()).describe("Ids of the spans that are the evidence"),
  reasons: z
    .array(reason)
    .describe("Violations about tools and their order, at most 16; absent if there are none")
    .exactOptional(),
  faults: z
    .array(z.string())
    .describe(
      "Causes of the violation (tools, terms, patterns, fields, rubrics); empty for the check as a whole. Results with equal causes are the same finding. Absent if the check passes, if value, limit, reasons or judge have the cause, and in results of older versions",
    )
    .exactOptional(),
  source: source.nullable().describe("Position in the spec"),
  turn: z
    .int()
    .min(1)
    .describe(
      "Number of the turn in a conversation, from 1; absent if the check is about the whole conversation",
    )
    .exactOptional(),
  judge: judge.nullable().describe("The judge's reply; null if no judge was called for the check"),
  waiver: waiver
    .describe("Who accepted the violation, why, and until when; absent if no waiver covers the violation")
    .exactOptional(),
  expected_fail: z
    .literal(true)
    .describe("The check failed as the query's `expected_fail` predicts, and only warns; absent otherwise")
    .exactOptional(),
});

const layer = z.strictObject({ outcome: z.enum(outcomes), reason: z.string(), checks: z.array(check) });

const provenance = z.strictObject({
  spec_hash: z.string(),
  engine: z.string(),
  judge: z.array(z.string()),
  prices: z.string().nullable(),
});

const playback = z.strictObject({
  run_id: z.string().describe("Id of the recorded run"),
  effect: z.enum(["none", "warn", "incomplete", "fail"]).describe("Effect of the divergences on the verdict"),
  divergences: z
    .array(
      z.strictObject({
        call: z.int().min(1).nullable().describe("Number of the model call, from 1; null if it was not made"),
        what: z
          .string()
          .describe(
            "`system prompt`, `user`, `tool definitions`, `result of tool X`, `model`, `one call more`, `one call fewer` …",
          ),
        where: z.string(),
        recorded: z.string().nullable(),
        now: z.string().nullable(),
        diff: z
          .string()
          .describe(
            "The changed part on one line, with text around it: `[-recorded-]{+current+}`; `- recorded` or `+ current` if only one side has the value",
          ),
      }),
    )
    .describe("Differences between the agent's requests and the recorded ones"),
});

/** Schema of a verdict in JSON: a line of `export.file`, or an item of `verdicts` in the output of `test`. */
export const verdictSchema = z.strictObject({
  query_id: z.string(),
  query: z.string().nullable().describe("Question of the run: the text that the user sent"),
  spec: z.string(),
  agent: z.string().nullable(),
  trace_id: z.string(),
  run_id: z.string(),
  service: z.string().nullable(),
  start_unix_ms: z
    .number()
    .describe("Start time of the run; absent in results of older versions")
    .exactOptional(),
  match: z.strictObject({
    how: z.enum(["id", "exact", "normalised", "pattern", "similarity", "wildcard"]),
    score: z.number(),
    unknown_id: z
      .string()
      .describe(
        "Query id that the run names and the spec lacks; the run's question then decided the match. Absent otherwise",
      )
      .exactOptional(),
  }),
  verdict_id: z.string().describe("Id of the verdict; the same in all its revisions"),
  error: z
    .string()
    .nullable()
    .describe("Error message of the run; null without an error, or if the run's end is unknown")
    .default(null),
  outcome: z.enum(outcomes),
  hard_fail: z.boolean().describe("Whether correctness failed or a forbidden tool was called"),
  expected_fail: z
    .literal(true)
    .describe("The query has `expected_fail: true`: a failure warns, a pass fails; absent otherwise")
    .exactOptional(),
  row: z
    .strictObject({ file: z.string(), line: count })
    .describe("Row of the table that defines the query; absent if the spec defines it")
    .exactOptional(),
  complete: z.boolean(),
  close_reason: z.string(),
  revision: count,
  turn_run_ids: z
    .array(z.string())
    .describe("The runs of a conversation, in order; absent for a single run")
    .exactOptional(),
  attributes: jsonObject,
  models: z
    .array(z.string())
    .describe("Requested models; absent in results of older versions")
    .exactOptional(),
  tools: z
    .array(z.string())
    .nullable()
    .describe("Names of the used tools, in order; null if one is unknown")
    .exactOptional(),
  answer: z
    .string()
    .nullable()
    .describe(
      "First 4,000 characters of the answer; null if it was not captured, or in a webhook without `export.content`",
    )
    .exactOptional(),
  layers: z.strictObject({ correctness: layer, path: layer, cost: layer } satisfies Record<Layer, unknown>),
  metrics: z
    .record(z.string(), z.number().nullable())
    .describe("Metrics by name; null if a metric could not be computed"),
  provenance,
  source: z
    .strictObject({ file: z.string(), line: z.int().min(1) })
    .describe(
      "Dump file and line of the run's root span, or of the first log record of a run without spans. For an agent that `test` ran: the folder of its telemetry, with a slash at the end. Absent for a run that a collector received",
    )
    .exactOptional(),
  playback: playback
    .describe("Playback of the recording that answered the run's model calls; absent for other runs")
    .exactOptional(),
  sources: z
    .array(z.string())
    .describe(
      "The dump files with spans or log records of the run, with the file of the root span first; absent if there is only one",
    )
    .exactOptional(),
});
export type VerdictJson = z.infer<typeof verdictSchema>;
export type CheckJson = z.infer<typeof check>;
export type LayerJson = z.infer<typeof layer>;

const reliability = jsonObject.meta({
  type: "object",
  additionalProperties: {},
  description: "`reliability` as the spec writes it",
});

const missing = z.strictObject({
  query_id: z.string(),
  query: z.string(),
  spec: z.string(),
  reliability: reliability.exactOptional(),
});
const unmatched = z.strictObject({
  trace_id: z.string(),
  run_id: z.string(),
  query: z.string().nullable(),
  reason: z.string(),
});
const ambiguous = z.strictObject({
  trace_id: z.string(),
  run_id: z.string(),
  query: z.string().nullable(),
  candidates: z.array(z.string()),
});
const invalidInput = z.strictObject({ file: z.string(), line: z.int().nullable(), reason: z.string() });

const gateOutcome = z.enum(["pass", "fail", "incomplete", "not_enough_runs"]);
const runsNeeded = z
  .int()
  .nullable()
  .describe("Number of further runs until the gate can decide; null if no number suffices");
const gatePart = z.strictObject({
  check: z.string().describe("Key under `reliability`"),
  k: z.int().min(1).describe("The k of pass_at_k and pass_hat_k").exactOptional(),
  outcome: gateOutcome,
  value: z.number().nullable(),
  limit: z.number(),
  message: z.string(),
  runs_needed: runsNeeded,
  runs_needed_at_least: runsNeeded,
});
const unitGate = z.strictObject({
  outcome: gateOutcome,
  reason: z.string(),
  runs_needed: runsNeeded,
  runs_needed_at_least: runsNeeded,
  checks: z.array(gatePart),
});
const gate = unitGate.extend({
  not_held: z
    .array(unitGate.extend({ name: z.string() }))
    .describe(
      "Questions with a violated gate, for a query that matches several questions; absent for a single question",
    )
    .exactOptional(),
});

/** Schema of the runs of a query and their reliability gate. `report` adds statistics as further keys. */
const group = z.looseObject({
  spec: z.string(),
  query_id: z.string(),
  reliability,
  key: z.string(),
  runs: count,
  passed: count.describe("Passed runs, including those with warnings"),
  warnings: count
    .describe("Number of passed runs with a warning; absent in results of older versions")
    .exactOptional(),
  failed: count,
  undecided: count.describe("Runs with the outcome incomplete, error or skip"),
  gate,
});

const summary = z.strictObject({
  total: count.describe("Verdicts of all six outcomes"),
  passed: count,
  warnings: count,
  failed: count,
  incomplete: count,
  errors: count,
  skipped: count,
  missing: count,
  unmatched: count,
  ambiguous: count,
  runs: count,
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(2)]),
});
export type SummaryJson = z.infer<typeof summary>;

const difference = z.strictObject({
  spec: z.string(),
  query_id: z.string(),
  run_id: z.string(),
  version: z.string().describe("Version of the saved run"),
  variant: z.int().min(1),
  type: z.string(),
  severity: z.enum(["error", "warn", "info"]),
  layer: z.enum(layers),
  message: z.string(),
  before: jsonValue,
  after: jsonValue,
  similarity: z
    .number()
    .nullable()
    .describe(
      "Similarity of both answers, or of the argument that changed most, 0 to 1; null for other differences",
    ),
});

const comparedVerdict = z.strictObject({
  verdict_id: z.string(),
  version: z.string().describe("Version of the saved run"),
  variant: z.int().min(1),
  regressed: z.boolean().describe("Whether the run is worse than the saved run"),
  undecided: z
    .boolean()
    .describe(
      "Whether a check is undecided, or was left out, that could show that the run is worse than the saved run",
    ),
});

const notJudged = z.strictObject({
  check: z.string(),
  reason: z.string().describe("Why the check was left out"),
  verdicts: count.describe("Verdicts without a result of the check"),
});

const baseline = z.strictObject({
  compared: count.describe("Runs that were compared with a saved one"),
  regressed: count,
  verdicts: z
    .array(comparedVerdict)
    .describe("Verdicts of the runs that were compared. Missing in results of older versions")
    .exactOptional(),
  differences: z.array(difference),
});

const agentCall = z.strictObject({
  spec: z.string(),
  query_id: z.string(),
  query: z.string(),
  run: z.int().min(1).describe("Number of the call within the query, from 1"),
  outcome: z.enum(["ok", "failed", "timed_out", "silent", "not_started"]),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  duration_ms: z.number().min(0),
  requests: count
    .describe(
      "Number of accepted export requests with traces or logs during the call of the agent; only if no run arrived",
    )
    .exactOptional(),
  spans: count,
  run_ids: z.array(z.string()),
  reason: z.string().describe("Why the outcome is not ok; empty for ok"),
  hint: z.string(),
  folder: z.string().describe("Path of the stored telemetry"),
});

const saving = z.strictObject({
  calls: z.int(),
  tokens: z.number().nullable(),
  usd: z.number().nullable(),
});

const judging = z.strictObject({
  calls: count.describe("Answered calls of judge models"),
  tokens: z.number().min(0).nullable(),
  usd: z.number().nullable(),
  saved: z
    .strictObject({
      cache: saving.describe("Cached replies"),
      cascade: saving.describe(
        "Judge calls that were unnecessary, because the first model was confident. Saved tokens and dollars: the usage of these calls, estimated from the first model's usage, minus the first model's usage",
      ),
      prompt_cache: saving.describe(
        "Judge calls whose prompt was partly in a provider's cache, with the cached tokens and the saved dollars",
      ),
    })
    .describe("Savings; a number is null if a part of it is unknown"),
});

const saved = z.strictObject({
  runs: count.describe("Runs whose model answers came from recordings"),
  calls: count.describe("Model calls that were answered from recordings"),
  tokens: count
    .nullable()
    .describe(
      "Tokens that the model calls answered from recordings would have used; null if the tokens of a run are unknown",
    ),
  usd: z
    .number()
    .min(0)
    .nullable()
    .describe("US dollars that the model calls answered from recordings would have cost; null if unknown"),
});

/** Schema of the output of `test --format json`. */
export const resultSchema = z.strictObject({
  format_version: z.literal(1),
  tool: z.strictObject({ name: z.literal("tracejury"), version: z.string() }),
  specs: z.array(z.strictObject({ file: z.string(), hash: z.string(), agent: z.string() })),
  summary,
  verdicts: z.array(verdictSchema),
  missing: z.array(missing),
  unmatched: z.array(unmatched),
  ambiguous: z.array(ambiguous),
  invalid_input: z.array(invalidInput),
  not_judged: z
    .array(notJudged)
    .describe("Checks that options left out, such as --judge off; absent if there are none")
    .exactOptional(),
  agent_calls: z
    .array(agentCall)
    .describe("Calls of the agent with --exec or --url; absent for dumps")
    .exactOptional(),
  judging: judging.describe("Cost of judges, and savings; absent if no judge was called").exactOptional(),
  models: saved
    .describe("Model calls that were answered from recordings; absent if there are none")
    .exactOptional(),
  baseline: baseline
    .describe("Differences between the runs and the baseline; absent without a comparison")
    .exactOptional(),
  groups: z
    .array(group)
    .describe("Runs of each query with `reliability`, and the result of their gate")
    .default([]),
});
export type ResultJson = z.infer<typeof resultSchema>;

/** Returns the JSON Schema (draft 2020-12) of one verdict, as `export.file` and `export.kafka` write it. */
export function verdictMessageJsonSchema(): object {
  return z.toJSONSchema(verdictSchema, { io: "input", target: "draft-2020-12" });
}

/**
 * Returns the JSON Schema (draft 2020-12) of the output of `test --format json`. `$defs/verdict` is the
 * schema of one verdict.
 */
export function verdictJsonSchema(): object {
  const registry = z.registry<{ id?: string; title?: string }>();
  registry.add(verdictSchema, { id: "verdict" });
  return z.toJSONSchema(resultSchema, { io: "input", metadata: registry, target: "draft-2020-12" });
}
