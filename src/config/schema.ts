import { z } from "zod";
import { DEFAULT_DATA_DIR } from "./config.ts";
import { duration } from "./quantities.ts";
import { assemble } from "./schema/assemble.ts";
import { dialects } from "./schema/dialects.ts";
import { exported } from "./schema/export.ts";
import { forward } from "./schema/forward.ts";
import { judge } from "./schema/judge.ts";
import { receive, receivers } from "./schema/receivers.ts";
import { redact } from "./schema/redact.ts";
import { changes, journal, limits, store } from "./schema/resources.ts";
import { security } from "./schema/security.ts";
import { telemetry } from "./schema/telemetry.ts";
import { address, text, usd } from "./schema/values.ts";
import { alwaysRules } from "../pipeline/decisions.ts";

const rate = z.number().min(0).max(1);

const sampling = z.strictObject({
  rate: rate.describe("Share of the runs that are evaluated, by a hash of the trace id").default(1),
  agents: z.record(text, rate).describe("The same for single agents, by name").default({}),
  queries: z
    .record(text, rate)
    .describe("The same for single queries, by id; it wins over the agent's")
    .default({}),
  always: z
    .array(z.enum(alwaysRules))
    .describe("Runs that are evaluated whatever the rate")
    .default([...alwaysRules]),
});

/*
 * The configuration as it is written. Values stay as written (a duration is a text): editors get a JSON Schema made from this;
 * `resolve.ts` turns a whole document into settings.
 */

const perMillion = z
  .strictObject({
    input: usd
      .describe("US dollars per million input tokens; the vendors' table when absent")
      .exactOptional(),
    output: usd.describe("Per million output tokens; absent when `input` is").exactOptional(),
    cached: usd.describe("Per million input tokens read from a cache; as input when absent").exactOptional(),
    cache_write: usd
      .describe("Per million input tokens written to a cache; as input when absent")
      .exactOptional(),
    cache_write_1h: usd
      .describe(
        "Per million input tokens written to a cache that keeps them for an hour; as cache_write when absent",
      )
      .exactOptional(),
    reasoning: usd
      .describe("Per million output tokens spent on reasoning; as output when absent")
      .exactOptional(),
    service_tiers: z
      .record(text, z.number().nonnegative())
      .describe(
        "By service tier (`batch`, `flex`, `priority`): what its calls cost, as a multiple of these prices",
      )
      .exactOptional(),
  })
  .superRefine((price, context) => {
    if (isPriced(price)) return;
    const message =
      "give `input` and `output`, or nothing but `service_tiers`, which are factors on the table's prices";
    context.addIssue({ code: "custom", message });
  });

/** Its own prices, or factors on the table's. */
function isPriced(price: Readonly<Record<string, unknown>>): boolean {
  const { input, output, service_tiers: tiers, ...parts } = price;
  if (input !== undefined && output !== undefined) return true;
  return (
    input === undefined && output === undefined && tiers !== undefined && Object.keys(parts).length === 0
  );
}

export const configSchema = z.strictObject({
  data_dir: text.describe("Folder of journal, store and caches").default(DEFAULT_DATA_DIR),
  receive: receive.describe("Where telemetry comes in").prefault({}),
  receivers: receivers.describe("Where telemetry is read from besides").prefault({}),
  admin: address
    .describe("UI, /api, /metrics, /healthz and /readyz listen here; off is none")
    .default("127.0.0.1:4319"),
  security: security.describe("Who may come in").prefault({}),
  watch: z
    .boolean()
    .describe(
      "Specs, rubrics, certificates, tokens and the configuration are read again when they change; SIGHUP does it always",
    )
    .default(true),
  stop_timeout: duration({ min: "100ms", max: "1h" })
    .describe(
      "Longest time of a stop (SIGTERM, SIGINT), even if clients still send; unfinished traces continue at the next start",
    )
    .default("10s"),
  specs: z.array(text).describe("Spec files, folders or globs").default(["specs/*.yaml"]),
  baseline: text
    .describe("Version of the baselines that runs are compared with; specs may name their own")
    .exactOptional(),
  baseline_dir: text
    .describe("Folder of baselines; each spec's own baseline_dir when absent")
    .exactOptional(),
  assemble: assemble.describe("When a trace counts as complete").prefault({}),
  journal: journal.describe("Accepted telemetry survives a crash").prefault({}),
  store: store.describe("Verdicts and runs, for the UI and the API").prefault({}),
  changes: changes
    .describe(
      "When pass rate, cost, latency or tokens of a query changed: for webhooks, metrics and the page",
    )
    .prefault({}),
  redact: redact
    .describe("Texts hidden from store, judges, exports and reports; journal and forwarding keep them")
    .prefault({}),
  limits: limits.describe("What may be used up").prefault({}),
  export: exported.describe("Where verdicts go").prefault({}),
  sampling: sampling.describe("Which runs are evaluated and get a verdict").prefault({}),
  forward: z.array(forward).describe("Where the telemetry itself goes on to").default([]),
  judge: judge.describe("Language models that judge").prefault({}),
  prices: z
    .record(text, perMillion)
    .describe("Prices by model name or provider/model; they win over the vendors' table")
    .default({}),
  models: z
    .strictObject({
      ignore: z
        .array(text)
        .describe("Regular expressions of what is new in every run: dates, ids, temporary paths")
        .default([]),
    })
    .describe("Recorded answers of models, for `test --models replay:…`")
    .prefault({}),
  attributes: z
    .array(text)
    .describe("Further attributes of resource and root span that runs keep, to group and match by")
    .default([]),
  dialects: dialects
    .describe("Attribute mappings for instrumentation of your own; believed before those that are built in")
    .default([]),
  tool_categories: z
    .record(text, z.array(text))
    .describe("Tools by category, for expected_tool_categories; they extend the eight usual categories")
    .default({}),
  telemetry: telemetry.describe("Our own log and metrics").prefault({}),
});

/** A whole configuration, defaults filled in, as it is written. */
export type ConfigDocument = z.output<typeof configSchema>;
