import { z } from "zod";
import { judgeModes } from "../../judge/settings.ts";
import { duration } from "../quantities.ts";
import { endpoint, text, usd } from "./values.ts";

const provider = z.strictObject({
  kind: z.enum(["anthropic", "openai"]).describe("Which API it speaks"),
  base_url: endpoint
    .describe("The vendor's own address when absent; for openai with its version, as in …/v1")
    .exactOptional(),
  key_env: text.describe("Environment variable with the key; absent: no key").exactOptional(),
  auth: z
    .enum(["bearer", "api-key"])
    .describe("How the key is sent, where the vendor's way does not fit")
    .exactOptional(),
});

const spend = z.strictObject({
  tokens: z.int().min(0).describe("Tokens, in and out").exactOptional(),
  usd: usd.describe("US dollars").exactOptional(),
});

export const judge = z.strictObject({
  mode: z
    .enum(judgeModes)
    .describe(
      "auto: use the judges that are available; off: skip judge checks; required: do not start without them",
    )
    .default("auto"),
  model: text.describe("For specs that name none, as in anthropic/claude-sonnet-4-5").exactOptional(),
  providers: z
    .record(text, provider)
    .describe("Further providers by name; anthropic and openai are built in")
    .default({}),
  concurrency: z.int().min(1).max(256).describe("Calls at a time").default(4),
  requests_per_minute: z.int().min(1).describe("For each provider; absent: no limit").exactOptional(),
  tokens_per_minute: z.int().min(1).describe("For each provider; absent: no limit").exactOptional(),
  timeout: duration({ min: "1s", max: "30m" }).describe("For one attempt").default("60s"),
  retries: z.int().min(0).max(10).describe("Further attempts after the first").default(2),
  budget: z
    .strictObject({
      run: spend.describe("For judging one agent run").prefault({}),
      hour: spend.describe("For any 60 minutes").prefault({}),
    })
    .describe("What judging may cost; absent: no limit")
    .prefault({}),
  cache: z
    .union([text, z.literal(false)])
    .describe(
      "File that replies are kept in, JSON lines. Absent: `test` without `--runs` keeps them in `data_dir`, and nothing else does; false: nothing does",
    )
    .exactOptional(),
  rubrics: z.array(text).describe("Further folders with rubric templates").default([]),
  audits: text.describe("What judge-audit wrote, for rubrics that block only when audited").exactOptional(),
  max_text: z
    .int()
    .min(1000)
    .describe("Longest text of one block shown to a judge, in characters")
    .default(48_000),
});
