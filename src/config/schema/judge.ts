import { z } from "zod";
import { modelNameProblem } from "../../model/judge-model-name.ts";
import { judgeModes } from "../../judge/settings.ts";
import { duration } from "../quantities.ts";
import { endpoint, text, usd } from "./values.ts";

const provider = z.strictObject({
  kind: z.enum(["anthropic", "openai"]).describe("API of the provider"),
  base_url: endpoint
    .describe("Base address of the API, for openai with the version, as in …/v1. Default: the vendor's")
    .exactOptional(),
  key_env: text.describe("Environment variable with the API key. Default: no key").exactOptional(),
  auth: z
    .enum(["bearer", "api-key"])
    .describe(
      "Header with the API key. bearer: Authorization; api-key: api-key, or x-api-key for anthropic. Default: as the API expects",
    )
    .exactOptional(),
});

const judgeModel = text.superRefine((written, context) => {
  const problem = modelNameProblem(written);
  if (problem !== null)
    context.addIssue({
      code: "custom",
      message: `"${written}" ${problem}; write provider/model, such as openai/gpt-4o`,
    });
});

const spend = z.strictObject({
  tokens: z.int().min(0).describe("Input and output tokens").exactOptional(),
  usd: usd.describe("US dollars").exactOptional(),
});

export const judge = z.strictObject({
  mode: z
    .enum(judgeModes)
    .describe(
      "auto: use available judges; off: skip checks with a judge; required: refuse to start without judges",
    )
    .default("auto"),
  model: judgeModel
    .describe(
      "Judge model of specs that name none, such as anthropic/claude-sonnet-4-5. Default: a model of the built-in provider whose key is set",
    )
    .exactOptional(),
  providers: z
    .record(text, provider)
    .describe("Further providers by name; anthropic and openai are built in")
    .default({}),
  concurrency: z.int().min(1).max(256).describe("Maximum number of concurrent judge calls").default(4),
  requests_per_minute: z
    .int()
    .min(1)
    .describe("Requests per minute to each provider. Default: no limit")
    .exactOptional(),
  tokens_per_minute: z
    .int()
    .min(1)
    .describe("Tokens per minute of each provider. Default: no limit")
    .exactOptional(),
  timeout: duration({ min: "1s", max: "30m" })
    .describe("Time-out of one attempt of a request")
    .default("60s"),
  retries: z.int().min(0).max(10).describe("Retries of a judge call after the first attempt").default(2),
  budget: z
    .strictObject({
      run: spend.describe("Budget for each agent run").prefault({}),
      hour: spend.describe("Budget for any 60 minutes").prefault({}),
    })
    .describe(
      "Maximum spending on judges. When it is spent, further judge checks have the outcome error; with `usd`, also if the price of the model is unknown. Default: no limit",
    )
    .prefault({}),
  cache: z
    .union([text, z.literal(false)])
    .describe(
      "File of cached replies, JSON lines; false: none. Default: a cache in `data_dir`, only for `test` without `--runs`",
    )
    .exactOptional(),
  rubrics: z.array(text).describe("Further folders with rubric templates").default([]),
  audits: text
    .describe(
      "File that judge-audit writes. The results in this file decide when rubrics with `blocking: only-if-audited` may fail a run, and when the first model of a cascade is sure",
    )
    .exactOptional(),
  max_text: z
    .int()
    .min(1000)
    .describe(
      "Maximum length of a block of text for a judge, in characters. The middle of a longer block is removed",
    )
    .default(48_000),
});
