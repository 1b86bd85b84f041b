import { z } from "zod";
import { alwaysRules } from "../pipeline/decisions.ts";
import { judgeModes } from "../judge/settings.ts";
import { AddressError, parseAddress } from "../receive/address.ts";
import { compilePattern } from "../model/pattern.ts";
import { detectors } from "../redact/detectors.ts";
import { scopes } from "../security/settings.ts";
import { DEFAULT_DATA_DIR } from "./config.ts";
import { duration, size } from "./quantities.ts";

/*
 * The configuration as it is written. Values stay as written (a duration is a text): editors get a JSON Schema made from this;
 * `resolve.ts` turns a whole document into settings.
 */

const text = z.string().regex(/\S/, "text that is not blank");

const address = z.string().superRefine((written, context) => {
  try {
    parseAddress(written, "admin");
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    context.addIssue({
      code: "custom",
      message: `"${written}" is no address; write host:port, [v6]:port, or off`,
    });
  }
});

const endpoint = z.string().refine(isHttpUrl, "must be an address that begins with http:// or https://");

function isHttpUrl(written: string): boolean {
  return /^https?:\/\//i.test(written) && URL.canParse(written);
}

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, "the name of a header");
const headers = z.record(headerName, z.string());
/** Headers that say how a request is sent, and not what it is about. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "grpc-encoding",
  "grpc-timeout",
  "host",
  "keep-alive",
  "te",
  "tracejury-hops",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
/** As a browser says where a page is from: scheme, host and port, `*` for parts of the host. */
const origin = z
  .string()
  .regex(/^(\*|[a-z][a-z0-9+.-]*:\/\/[^/\s]+)$/i, "an origin such as https://app.example.com, or *");
const regex = z.string().superRefine((written, context) => {
  const compiled = compilePattern(written, { language: "javascript" });
  if (!compiled.ok) context.addIssue({ code: "custom", message: compiled.problem.message });
});
const usd = z.number().min(0);

const receive = z.strictObject({
  http: address
    .describe("OTLP/HTTP listens here; port 0 is any free one, off is none")
    .default("127.0.0.1:4318"),
  grpc: address
    .describe("OTLP/gRPC listens here; each of the two ports takes both protocols")
    .default("127.0.0.1:4317"),
  max_body: size({ min: "1KiB", max: "1GiB" })
    .describe("Largest request, on the wire and inflated")
    .default("64MiB"),
});

const wait = duration({ max: "7d" });

const assemble = z.strictObject({
  root_quiet: wait
    .describe("A trace with its root and no gaps is complete when quiet for this long")
    .default("6s"),
  root_open: wait.describe("The same while a parent span is missing").default("15s"),
  root_cap: wait.describe("Longest wait after the root has come").default("60s"),
  idle: wait.describe("A trace without a root is closed when quiet for this long").default("5m"),
  max_age: wait.describe("Longest wait after the first span").default("60m"),
  conversation_idle: wait
    .describe("A conversation is over when nothing was said for this long; as `idle` when absent")
    .exactOptional(),
  late_window: wait
    .describe("How long a closed trace is kept, to be judged again when spans come late")
    .default("2m"),
  max_spans: z.int().min(1).describe("A trace with more spans is closed at once").default(32_000),
  max_bytes: size({ min: "1KiB" }).describe("A trace that holds more is closed at once").default("16MiB"),
  late_bytes: size().describe("Memory for closed traces that wait for late spans").default("64MiB"),
});

const journal = z.strictObject({
  durability: z
    .enum(["fsync", "flush", "memory"])
    .describe("When a request counts as kept: on the disk, handed to the system, or not kept at all")
    .default("flush"),
  budget: size({ min: "1MiB" }).describe("Disk space for the journal").default("2GiB"),
});

const limits = z.strictObject({
  memory: size({ min: "32MiB" })
    .describe(
      "Memory of the process: near it traces are closed early, and requests refused, to be sent again",
    )
    .default("512MiB"),
});

const destination = z.strictObject({
  endpoint: endpoint.describe("Base address of an OTLP/HTTP backend; /v1/logs and the like are appended"),
  headers: headers.describe("Sent with each request").default({}),
  signals: z
    .array(z.enum(["logs", "traces", "metrics"]))
    .describe("What it gets")
    .default(["logs", "traces", "metrics"]),
  events: z
    .enum(["both", "logs", "span"])
    .describe("Evaluation events as log records, as span events, or both")
    .default("both"),
  compression: z.enum(["gzip", "none"]).describe("Of request bodies").default("gzip"),
  timeout: duration({ min: "100ms", max: "5m" })
    .describe("For one request with its quick retries")
    .default("10s"),
});

const exported = z.strictObject({
  file: text.describe("Verdicts as JSON lines, such as verdicts.jsonl").exactOptional(),
  otlp: z.array(destination).describe("Backends that verdicts are sent to").default([]),
  span: z
    .enum(["child", "link", "off"])
    .describe("The verdict's span: below the judged root, linked to it, or none")
    .default("child"),
  revisions: z
    .enum(["final", "first", "all"])
    .describe("Which verdicts about a run are sent when late spans change it")
    .default("final"),
  content: z.boolean().describe("Lets answer texts and judges' reasons into what is sent").default(false),
});

const forward = z.strictObject({
  endpoint: endpoint.describe("Base address of an OTLP backend that gets all telemetry unchanged"),
  protocol: z
    .enum(["http", "grpc"])
    .describe("OTLP/HTTP, where /v1/traces and the like are appended, or OTLP/gRPC")
    .default("http"),
  headers: headers.describe("Sent with each request; they win over those passed on").default({}),
  pass_headers: z
    .array(
      headerName.refine(
        (name) => !ownHeaders.has(name.toLowerCase()),
        "is set by us; it cannot be passed on",
      ),
    )
    .describe("Headers of the sender that go on with its request, such as authorization")
    .default([]),
  timeout: duration({ min: "100ms", max: "5m" }).describe("For one attempt").default("10s"),
  queue: size({ min: "1MiB" })
    .describe("What may wait while the backend is down; on the disk unless journal.durability is memory")
    .default("1GiB"),
  max_elapsed: duration({ min: "1s", max: "7d" })
    .describe("A request that fails for so long while others get through is given up")
    .default("5m"),
});

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

const provider = z.strictObject({
  kind: z.enum(["anthropic", "openai"]).describe("Which API it speaks"),
  base_url: endpoint
    .describe("The vendor's own address when absent; for openai with its version, as in …/v1")
    .exactOptional(),
  key_env: text.describe("Environment variable that holds the key; absent: it takes none").exactOptional(),
  auth: z
    .enum(["bearer", "api-key"])
    .describe("How the key is sent, where the vendor's way does not fit")
    .exactOptional(),
});

const spend = z.strictObject({
  tokens: z.int().min(0).describe("Tokens, in and out").exactOptional(),
  usd: usd.describe("US dollars").exactOptional(),
});

const judge = z.strictObject({
  mode: z
    .enum(judgeModes)
    .describe(
      "auto: ask the judges that can be asked; off: skip judge checks; required: do not start without",
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
  cache: text
    .describe("File that replies are kept in, JSON lines; absent: they are not kept")
    .exactOptional(),
  rubrics: z.array(text).describe("Further folders with rubric templates").default([]),
  audits: text.describe("What judge-audit wrote, for rubrics that block only when audited").exactOptional(),
  max_text: z
    .int()
    .min(1000)
    .describe("Longest text of one block shown to a judge, in characters")
    .default(48_000),
});

const perMillion = z.strictObject({
  input: usd.describe("US dollars per million input tokens"),
  output: usd.describe("Per million output tokens"),
  cached: usd.describe("Per million input tokens read from a cache; as input when absent").exactOptional(),
  cache_write: usd
    .describe("Per million input tokens written to a cache; as input when absent")
    .exactOptional(),
  reasoning: usd
    .describe("Per million output tokens spent on reasoning; as output when absent")
    .exactOptional(),
});

const telemetry = z.strictObject({
  log_level: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .describe("What of our own log is written")
    .default("info"),
  log_format: z
    .enum(["auto", "json", "pretty"])
    .describe("auto: plain text on a terminal, JSON elsewhere")
    .default("auto"),
  otelcol_names: z
    .boolean()
    .describe("Our health also under the OpenTelemetry Collector's metric names")
    .default(false),
});

const scopeList = z
  .array(z.enum(scopes))
  .min(1)
  .describe("What it allows: send telemetry, read results, change things");

const token = z
  .strictObject({
    name: text.describe("For the reader").exactOptional(),
    token: text.describe("The token itself, mostly from the environment: ${env:NAME}").exactOptional(),
    file: text.describe("File of tokens, one a line; read again when it changes").exactOptional(),
    scopes: scopeList,
  })
  .refine((one) => (one.token === undefined) !== (one.file === undefined), "give either `token` or `file`");

const user = z
  .strictObject({
    user: text.describe("Name, without a colon"),
    password: text.describe("Mostly from the environment: ${env:NAME}").exactOptional(),
    password_file: text.describe("File that holds it; read again when it changes").exactOptional(),
    scopes: scopeList,
  })
  .refine(
    (one) => (one.password === undefined) !== (one.password_file === undefined),
    "give either `password` or `password_file`",
  );

const tls = z.strictObject({
  cert_file: text.describe("Certificate with its chain, PEM; read again when it changes"),
  key_file: text.describe("Its key, PEM"),
  client_ca_file: text
    .describe("Authorities of clients' certificates, PEM; present: no client gets in without one")
    .exactOptional(),
  min_version: z.enum(["1.2", "1.3"]).describe("Oldest version of TLS").default("1.2"),
});

const security = z.strictObject({
  open_without_auth: z
    .boolean()
    .describe("Lets an address that other machines reach be opened to everybody")
    .default(false),
  tokens: z.array(token).describe("Bearer tokens; a scope that no credential has is open").default([]),
  users: z.array(user).describe("Names and passwords, for Basic authentication").default([]),
  receive_tls: tls.describe("TLS on the OTLP ports").exactOptional(),
  admin_tls: tls.describe("TLS on the admin port").exactOptional(),
  allowed_origins: z
    .array(origin)
    .describe("Web pages that may send telemetry, as in https://*.example.com; none when empty")
    .default([]),
  allowed_hosts: z
    .array(text)
    .describe("Names with a dot under which the admin port may be called")
    .default([]),
});

const store = z.strictObject({
  mode: z
    .enum(["auto", "sqlite", "memory"])
    .describe("auto: in an SQLite file where there is a driver; memory: only the last verdicts")
    .default("auto"),
  path: text.describe("The file; absent: store.db in data_dir").exactOptional(),
  telemetry: z
    .boolean()
    .describe("Keeps the telemetry of runs as it came, so that they can be looked at and judged again")
    .default(true),
  max_age: duration({ min: "1h" }).describe("Runs not judged for longer are deleted").default("30d"),
  max_size: size({ min: "1MiB" }).describe("Beyond it the oldest runs are deleted").default("2GiB"),
  max_per_second: z
    .int()
    .min(1)
    .describe("Runs kept in a second; above it some are left out and counted, those that passed first")
    .default(500),
});

const redact = z.strictObject({
  keys: z
    .array(text)
    .describe(
      "Attributes and keys in JSON whose values are taken out; `*` stands for anything, as in *.authorization",
    )
    .default([]),
  patterns: z
    .array(
      z.strictObject({
        pattern: regex.describe("What is taken out: a regular expression of RE2"),
        replacement: z.string().describe("What is put in its place").default("[redacted]"),
      }),
    )
    .describe("Further texts to take out")
    .default([]),
  detectors: z
    .array(z.enum(detectors))
    .describe(
      "What is found without being named: keys and tokens, e-mail addresses, cards, bank accounts, US social security and phone numbers",
    )
    .default([]),
});

export const configSchema = z.strictObject({
  data_dir: text.describe("Folder of journal, store and caches").default(DEFAULT_DATA_DIR),
  receive: receive.describe("Where telemetry comes in").prefault({}),
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
  specs: z.array(text).describe("Spec files, folders or globs").default(["specs/*.yaml"]),
  baseline: text
    .describe("Version of the baselines that runs are compared with; specs may name their own")
    .exactOptional(),
  baseline_dir: text
    .describe("Folder of baselines; each spec's own baseline_dir when absent")
    .exactOptional(),
  assemble: assemble.describe("When a trace is taken to be complete").prefault({}),
  journal: journal.describe("What was accepted survives a crash").prefault({}),
  store: store.describe("Verdicts and runs, for the UI and the API").prefault({}),
  redact: redact
    .describe(
      "What store, judges, exports and reports do not get to see; the journal and what is forwarded keep it",
    )
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
  attributes: z
    .array(text)
    .describe("Further attributes of resource and root span that runs keep, to group and match by")
    .default([]),
  tool_categories: z
    .record(text, z.array(text))
    .describe("Tools by category, for expected_tool_categories; they extend the eight usual categories")
    .default({}),
  telemetry: telemetry.describe("Our own log and metrics").prefault({}),
});

/** A whole configuration, defaults filled in, as it is written. */
export type ConfigDocument = z.output<typeof configSchema>;
