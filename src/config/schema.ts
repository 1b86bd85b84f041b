import { z } from "zod";
import { DEFAULT_DATA_DIR } from "./config.ts";
import { duration, size } from "./quantities.ts";
import { dialects } from "./schema/dialects.ts";
import { exported } from "./schema/export.ts";
import { forward } from "./schema/forward.ts";
import { judge } from "./schema/judge.ts";
import { receive, receivers } from "./schema/receivers.ts";
import { changes, journal, limits, store } from "./schema/resources.ts";
import { security } from "./schema/security.ts";
import { address, endpoint, headers, text, usd } from "./schema/values.ts";
import { alwaysRules } from "../pipeline/decisions.ts";
import { compilePattern } from "../model/patterns/pattern.ts";
import { detectors } from "../support/redact/detectors/detectors.ts";

const wait = duration({ max: "7d" });

const assemble = z.strictObject({
  root_quiet: wait
    .describe(
      "Closes a trace whose root span and parent spans have all arrived, after this time without a new span or log record",
    )
    .default("6s"),
  root_open: wait
    .describe(
      "Closes a trace whose root span has arrived, but not all parent spans, after this time without a new span or log record. A closed trace whose run has no answer waits this long for another trace of the run",
    )
    .default("15s"),
  root_cap: wait
    .describe("Closes a trace at the latest this long after its root span arrived")
    .default("60s"),
  idle: wait
    .describe(
      "Closes a trace whose root span has not arrived, after this time without a new span or log record",
    )
    .default("5m"),
  max_age: wait
    .describe(
      "Closes a trace at the latest this long after its first span arrived. Two traces with a longer pause between them are never parts of one run",
    )
    .default("60m"),
  conversation_idle: wait
    .describe("Ends a conversation after this time without a run. Default: `assemble.idle`")
    .exactOptional(),
  late_window: wait
    .describe(
      "Time after a trace was closed in which a late span of this trace causes a revised verdict; shorter if `assemble.late_bytes` is exceeded",
    )
    .default("2m"),
  max_spans: z
    .int()
    .min(1)
    .describe(
      "Maximum number of spans of a trace. A larger trace closes at once; further spans are forwarded, but not judged",
    )
    .default(32_000),
  max_bytes: size({ min: "1KiB" })
    .describe(
      "Maximum size of a trace. A larger trace closes at once; further telemetry is forwarded, but not judged",
    )
    .default("16MiB"),
  late_bytes: size()
    .describe(
      "Memory for closed traces that wait for late spans. Above this size, the oldest closed traces accept no more late spans",
    )
    .default("64MiB"),
});

const regex = z.string().superRefine((written, context) => {
  const compiled = compilePattern(written, { language: "javascript" });
  if (!compiled.ok) context.addIssue({ code: "custom", message: compiled.problem.message });
});
const redact = z.strictObject({
  keys: z
    .array(text)
    .describe("Attributes and JSON keys whose values are redacted; `*` matches any characters")
    .default([]),
  patterns: z
    .array(
      z.strictObject({
        pattern: regex.describe("RE2 pattern of text to redact"),
        replacement: z.string().describe("Replacement text").default("[redacted]"),
      }),
    )
    .describe("Further texts to redact")
    .default([]),
  detectors: z
    .array(z.enum(detectors))
    .describe(
      "Values to detect: keys and tokens, e-mail addresses, cards, bank accounts, US social security and phone numbers",
    )
    .default([]),
});

const traces = z.strictObject({
  endpoint: endpoint.describe("Base address of an OTLP/HTTP backend, without /v1/traces"),
  headers: headers.describe("Headers of each request").default({}),
  protocol: z
    .enum(["http/protobuf", "http/json"])
    .describe("Encoding of requests. Phoenix and MLflow accept only protobuf")
    .default("http/protobuf"),
  sample: z.number().min(0).max(1).describe("Share of traces to export").default(1),
});

const telemetry = z.strictObject({
  log_level: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .describe("Minimum level of the records in Tracejury's log")
    .default("info"),
  log_format: z
    .enum(["auto", "json", "pretty"])
    .describe("auto: plain text if stderr is a terminal, otherwise JSON")
    .default("auto"),
  otelcol_names: z
    .boolean()
    .describe("Also exports health metrics under the names of the OpenTelemetry Collector")
    .default(false),
  traces: traces
    .describe("Traces of Tracejury itself: evaluations, requests to judges and backends, Kafka commits")
    .exactOptional(),
});

const rate = z.number().min(0).max(1);

const sampling = z.strictObject({
  rate: rate
    .describe(
      "Share, 0 to 1, of the runs that match a query and get a verdict; the runs are chosen by a hash of the trace id",
    )
    .default(1),
  agents: z
    .record(text, rate)
    .describe("Share by agent name, which replaces `rate` for this agent")
    .default({}),
  queries: z
    .record(text, rate)
    .describe("Share by query id, which replaces `rate` and `agents` for this query")
    .default({}),
  always: z
    .array(z.enum(alwaysRules))
    .describe("Runs that get a verdict whatever the share is; the checks without a judge find these runs")
    .default([...alwaysRules]),
});

/*
 * Schema of the configuration file. Values are not converted: a duration, for example, stays a text. The JSON Schema for editors is
 * generated from this schema; `resolve.ts` converts a document into settings.
 */

const perMillion = z
  .strictObject({
    input: usd
      .describe("US dollars per million input tokens. Default: the vendors' price table")
      .exactOptional(),
    output: usd.describe("US dollars per million output tokens; needs `input`").exactOptional(),
    cached: usd.describe("US dollars per million tokens read from a cache. Default: input").exactOptional(),
    cache_write: usd
      .describe("US dollars per million tokens written to a cache. Default: input")
      .exactOptional(),
    cache_write_1h: usd
      .describe("US dollars per million tokens written to a one-hour cache. Default: cache_write")
      .exactOptional(),
    reasoning: usd.describe("US dollars per million reasoning tokens. Default: output").exactOptional(),
    service_tiers: z
      .record(text, z.number().nonnegative())
      .describe("Price factor by service tier (`batch`, `flex`, `priority`)")
      .exactOptional(),
  })
  .superRefine((price, context) => {
    if (isPriced(price)) return;
    const message = "write `input` and `output`, or only `service_tiers`, which multiply the table's prices";
    context.addIssue({ code: "custom", message });
  });

/** Whether a price is valid: it has both `input` and `output`, or only factors, by which the prices in the table are multiplied. */
function isPriced(price: Readonly<Record<string, unknown>>): boolean {
  const { input, output, service_tiers: tiers, ...parts } = price;
  if (input !== undefined && output !== undefined) return true;
  return (
    input === undefined && output === undefined && tiers !== undefined && Object.keys(parts).length === 0
  );
}

export const configSchema = z.strictObject({
  data_dir: text
    .describe("Folder of the journal, the store, the queues and caches")
    .default(DEFAULT_DATA_DIR),
  receive: receive.describe("OTLP receivers").prefault({}),
  receivers: receivers.describe("Receivers in addition to the OTLP ports").prefault({}),
  admin: address
    .describe(
      "Address of the admin port (page, /api, /metrics, /healthz, /readyz); off: the port is not opened",
    )
    .default("127.0.0.1:4319"),
  security: security.describe("Credentials, TLS, and allowed origins, networks and hosts").prefault({}),
  watch: z
    .boolean()
    .describe(
      "Reloads specs, rubrics, certificates, tokens and the configuration when a file changes; SIGHUP reloads them in any case. A reload applies specs, baselines, security, redact, sampling, judge, dialects and tool_categories; all other sections need a restart",
    )
    .default(true),
  stop_timeout: duration({ min: "100ms", max: "1h" })
    .describe(
      "Maximum duration of a shutdown (SIGTERM, SIGINT). With a journal, the next start reads the open traces again and continues to assemble them",
    )
    .default("10s"),
  specs: z
    .array(text)
    .describe("Spec files, folders (the YAML files directly in them) or globs")
    .default(["specs/*.yaml"]),
  baseline: text
    .describe("Version of the saved baselines to compare with. Takes precedence over `baseline` of a spec")
    .exactOptional(),
  baseline_dir: text.describe("Folder of baselines. Default: `baseline_dir` of each spec").exactOptional(),
  assemble: assemble.describe("When a trace counts as complete").prefault({}),
  journal: journal.describe("Stores accepted telemetry, so that it survives a crash").prefault({}),
  store: store.describe("Stores verdicts and runs for the page and the API").prefault({}),
  changes: changes
    .describe("Detects changes of pass rate, cost, latency and tokens, for webhooks, metrics and the page")
    .prefault({}),
  redact: redact
    .describe(
      "Replaces sensitive texts before they reach the store, judges, exports and reports. The journal and forwarded telemetry contain the original texts",
    )
    .prefault({}),
  limits: limits.describe("Limits of resources").prefault({}),
  export: exported.describe("Outputs for verdicts").prefault({}),
  sampling: sampling
    .describe("Share of runs that get a verdict; judges are called only for these runs")
    .prefault({}),
  forward: z.array(forward).describe("Backends that receive the telemetry").default([]),
  judge: judge.describe("Language models as judges").prefault({}),
  prices: z
    .record(text, perMillion)
    .describe("Prices by model name or provider/model; they replace the built-in prices of these models")
    .default({}),
  models: z
    .strictObject({
      ignore: z
        .array(text)
        .describe("Regular expressions for text that differs between runs, such as dates and ids")
        .default([]),
    })
    .describe("Recorded answers of models, for `test --models replay:…`")
    .prefault({}),
  attributes: z
    .array(text)
    .describe(
      "Further attributes of the resource and the root span that runs retain, for `report --group-by` and `match.where`",
    )
    .default([]),
  dialects: dialects
    .describe("Attributes of your own instrumentation; they take precedence over built-in dialects")
    .default([]),
  tool_categories: z
    .record(text, z.array(text))
    .describe(
      "Tools by category, for `expected_tool_categories`, in addition to the eight built-in categories. If a built-in category has the same name, the tools are added to its tools",
    )
    .default({}),
  telemetry: telemetry.describe("Tracejury's own log, metrics and traces").prefault({}),
});

/** The configuration with defaults. Values are not converted: a duration, for example, is a text. */
export type ConfigDocument = z.output<typeof configSchema>;
