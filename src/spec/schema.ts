import { derivedOnce } from "../support/structures/bounded-memo.ts";
import { z } from "zod";
import type { Check } from "../evaluate/checks/check.ts";
import { judgeSettingsSchema } from "../evaluate/judge/settings.ts";
import { presets } from "../evaluate/metrics/match-mode.ts";
import { userChecksSchema } from "../evaluate/checks/user/user-check.ts";
import { layers, type Layer } from "../model/outcome.ts";
import { patternText } from "../model/patterns/pattern-text.ts";
import {
  blockCheckKeys,
  consequenceSchema,
  matchSchema,
  reliabilitySchema,
  resilienceSchema,
  retrievalSchema,
  scoringSchema,
  simulateSchema,
  severitySchema,
  spanAssertionSchema,
  waiverSchema,
} from "../evaluate/query/blocks.ts";

/** Root keys of a spec that every query inherits. */
export const specWideKeys = ["severity", "reliability", "resilience", "scoring"] as const;

export interface SpecSchemas {
  /** Schema of a whole spec, for editors. */
  readonly document: z.ZodType;
  /** Schema of the document, without validation of its queries and defaults. */
  readonly frame: z.ZodType;
  readonly defaults: z.ZodType;
  /** Schema of one query, merged with the defaults. */
  readonly query: z.ZodType;
}

const text = z.string().regex(/\S/, "text that is not blank");

/** Returns the schemas of the spec language for a list of checks, created once for each list. */
export const specSchemas: (checks: readonly Check[]) => SpecSchemas = derivedOnce(buildSchemas);

function buildSchemas(checks: readonly Check[]): SpecSchemas {
  const layerShape = Object.fromEntries(
    layers.map((layer) => [layer, layerSchema(layer, checks).exactOptional()]),
  );
  const turn = z.strictObject({
    query: text.describe(
      'Message of the user. `{name}` is a value that an earlier turn captured; "*" matches any text',
    ),
    description: z.string().exactOptional(),
    capture: z
      .record(z.string().regex(/^[A-Za-z_]\w*$/, "a name of letters, digits and `_`"), patternText)
      .describe(
        "Values for later turns: name → RE2 pattern, searched in the answer. The value is the text of the pattern's group with this name; without such a group, the whole match",
      )
      .exactOptional(),
    ...layerShape,
  });
  const shared = {
    description: z.string().describe("Description for readers").exactOptional(),
    tags: z.array(text).describe("Tags for `--tags`").exactOptional(),
    match: matchSchema.exactOptional(),
    ...layerShape,
    severity: severitySchema([...checks.map((check) => check.key), ...blockCheckKeys]).exactOptional(),
    reliability: reliabilitySchema.exactOptional(),
    resilience: resilienceSchema.exactOptional(),
    scoring: scoringSchema.exactOptional(),
    retrieval: retrievalSchema.exactOptional(),
    checks: userChecksSchema.exactOptional(),
    spans: z.array(spanAssertionSchema).describe("Assertions on single steps").exactOptional(),
    scope: z
      .enum(["run", "conversation"])
      .describe("What is judged: each run, or a whole conversation")
      .exactOptional(),
  };
  const query = z.strictObject({
    id: z
      .string()
      .regex(
        /^[A-Za-z0-9][\w.:-]{0,99}$/,
        "letters, digits, `.`, `_`, `:` and `-`, at most 100, a letter or digit first",
      )
      .describe("Stable id of the query. Default: made from its text")
      .exactOptional(),
    query: text.describe('Text of the query; "*" matches each run of the agent that no other query matches'),
    ...shared,
    todo: text
      .describe(
        "What the query still lacks. Until you remove this key, runs of the query without a failed check are incomplete, with this text as remedy",
      )
      .exactOptional(),
    expected_fail: z
      .boolean()
      .describe(
        "The agent is known to fail this query: a failure warns, and a pass fails until you remove this key",
      )
      .exactOptional(),
    turns: z
      .array(turn)
      .min(1)
      .describe("Messages of the user in order, each with its expectations")
      .exactOptional(),
    simulate: simulateSchema.exactOptional(),
  });
  const table = text.describe(
    "A .csv, .tsv or .jsonl file; each row is a query. `{column}` in any text is the row's cell",
  );
  // Values in a block with `queries_from` can be any text with `{column}`. The final value of each row is validated later.
  const rows = z.looseObject({ queries_from: table }).describe("One query for each row of a table");
  const defaults = z
    .strictObject(shared)
    .describe("Values for every query; a query's own values take precedence");
  return {
    query,
    defaults,
    frame: documentSchema(
      z.unknown(),
      { queries: z.array(z.record(z.string(), z.unknown())).min(1) },
      shared,
    ),
    document: documentSchema(
      defaults,
      {
        queries: z
          .array(z.union([query, rows]))
          .min(1)
          .exactOptional(),
        queries_from: table.exactOptional(),
      },
      shared,
    ),
  };
}

function documentSchema(
  defaults: z.ZodType,
  queries: Readonly<Record<string, z.ZodType>>,
  shared: Readonly<Record<(typeof specWideKeys)[number], z.ZodType>>,
): z.ZodType {
  return z.strictObject({
    version: z.literal(1).describe("Version of the spec language").exactOptional(),
    agent: text.describe('Agent whose runs are judged: agent name or service name; "*" is any'),
    description: z.string().describe("Description for readers").exactOptional(),
    preset: z
      .enum(presets)
      .describe(
        "System whose meaning applies to names that systems define differently. Without it, AgentCI's meaning applies",
      )
      .exactOptional(),
    baseline_dir: text
      .describe("Folder of saved baselines, in the spec's folder. Default: ./baselines")
      .exactOptional(),
    baseline: text.describe("Version of the baseline for comparison").exactOptional(),
    judge_config: judgeSettingsSchema.describe("Settings of judges").exactOptional(),
    severity: shared.severity,
    reliability: shared.reliability,
    resilience: shared.resilience,
    scoring: shared.scoring,
    waivers: z.array(waiverSchema).describe("Violations that are accepted until a date").exactOptional(),
    definitions: z
      .record(z.string(), z.unknown())
      .describe("Blocks for `$ref: '#/definitions/…'`")
      .exactOptional(),
    defaults: defaults.exactOptional(),
    ...queries,
  });
}

function layerSchema(layer: Layer, checks: readonly Check[]) {
  const own = checks.filter((check) => check.layer === layer);
  const byCheck = Object.fromEntries(own.map((check) => [check.key, consequenceSchema.exactOptional()]));
  const limits = Object.fromEntries(
    own.map((check) => [check.key, check.limit.describe(check.summary).exactOptional()]),
  );
  return z
    .strictObject({
      ...limits,
      severity: z
        .union([consequenceSchema, z.strictObject(byCheck)])
        .describe("Outcome of a violation, for the layer or by check")
        .exactOptional(),
    })
    .describe(layerSummaries[layer]);
}

const layerSummaries: Readonly<Record<Layer, string>> = {
  correctness: "The answer; a violation fails the run",
  path: "Tools, order and hand-offs; a violation warns, a forbidden tool fails",
  cost: "Cost, time and tokens; a violation warns",
};
