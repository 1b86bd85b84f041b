import { z } from "zod";
import { configuredDefaults as defaults } from "../../export/queue/backend-down.ts";
import { scoreKinds } from "../../export/settings.ts";
import { outcomes } from "../../model/outcome.ts";
import { duration, size } from "../quantities.ts";
import { kafkaConnection, topic } from "./kafka.ts";
import { endpoint, headers, text } from "./values.ts";

const destination = z.strictObject({
  endpoint: endpoint.describe("Base address of an OTLP/HTTP backend, without /v1/logs and the like"),
  headers: headers.describe("Headers of each request").default({}),
  signals: z
    .array(z.enum(["logs", "traces", "metrics"]))
    .describe("Signals that this backend receives")
    .default(["logs", "traces", "metrics"]),
  events: z
    .enum(["both", "logs", "span"])
    .describe("Form of evaluation events: log records, span events, or both")
    .default("both"),
  compression: z.enum(["gzip", "none"]).describe("Compression of request bodies").default("gzip"),
  timeout: duration({ min: "100ms", max: "5m" })
    .describe("Time-out of one attempt of a request")
    .default(defaults.attemptTimeout),
});

const webhook = z
  .strictObject({
    url: endpoint.describe("URL for verdicts or changes; a private address needs security.allowed_networks"),
    on: z
      .enum(["verdict", "change"])
      .describe(
        "verdict: each verdict; change: each change of a query's pass rate, cost, latency or tokens (needs SQLite or PostgreSQL)",
      )
      .default("verdict"),
    format: z
      .enum(["json", "slack"])
      .describe("json: a list of verdicts as in export.file; slack: for Slack's incoming webhooks")
      .default("json"),
    headers: headers.describe("Headers of each request").default({}),
    secret: text
      .describe("Signs each request by Standard Webhooks (webhook-signature). Default: no signature")
      .exactOptional(),
    outcomes: z
      .array(z.enum(outcomes))
      .min(1)
      .describe("Outcomes to post with `on: verdict`. Default: all; for slack, fail and error")
      .exactOptional(),
    max_batch: z
      .int()
      .min(1)
      .max(1000)
      .describe("Maximum number of verdicts or changes in one request; for slack at most 40")
      .default(100),
    max_delay: duration({ max: "1h" })
      .describe(
        "Maximum time that a verdict or change waits for further verdicts or changes of the same request",
      )
      .default("1s"),
    timeout: duration({ min: "100ms", max: "5m" })
      .describe("Time-out of one attempt of a request")
      .default(defaults.attemptTimeout),
  })
  .superRefine(({ on, outcomes: written }, context) => {
    if (on !== "change" || written === undefined) return;
    const message = "changes have no outcome: remove `outcomes`, or write `on: verdict`";
    context.addIssue({ code: "custom", path: ["outcomes"], message });
  });

const scores = z
  .strictObject({
    kind: z.enum(scoreKinds).describe("Product that receives the scores"),
    endpoint: endpoint.describe("Base address of the product's API, such as http://phoenix:6006"),
    key: text
      .describe(
        "langfuse: PUBLIC_KEY:SECRET_KEY; mlflow: USER:PASSWORD or a token; other products: an API key",
      )
      .exactOptional(),
    project: z
      .string()
      .regex(/^[\w.:/-]+$/)
      .describe(
        "braintrust: project id; phoenix: project name (`default`); datadog: ml_app (the service of each run)",
      )
      .exactOptional(),
    headers: headers.describe("Headers of each request").default({}),
    names: z
      .array(text)
      .min(1)
      .describe(
        "Scores to post, by evaluation name (path.tool_recall) or key of the spec (min_tool_recall); * matches any characters",
      )
      .default(["tracejury.*"]),
    on: z
      .enum(["run", "check"])
      .describe(
        "Where the score of a check is posted. run: at the run's root span; check: at the only span that is the check's evidence, otherwise at the root span",
      )
      .default("run"),
    wait: duration({ min: "0s", max: "1d" })
      .describe(
        "Maximum time that a verdict waits until the backend has its trace; if the backend was down, the time begins with the last failed request. A verdict is also dropped if its requests fail for this time while requests of other verdicts succeed",
      )
      .default(defaults.traceWait),
    timeout: duration({ min: "100ms", max: "5m" })
      .describe("Time-out of one request")
      .default(defaults.attemptTimeout),
  })
  .refine(
    ({ kind, project }) => kind !== "braintrust" || project !== undefined,
    "kind braintrust needs `project`, the id of the project that the traces are in",
  );

const kafka = z.strictObject({
  ...kafkaConnection,
  topic: topic.describe("Topic for verdicts").default("tracejury_verdicts"),
  timeout: duration({ min: "1s", max: "5m" })
    .describe("Time-out of the brokers' acknowledgement")
    .default(defaults.kafkaTimeout),
});

const rotate = z.strictObject({
  max_size: size({ min: "1KiB" }).describe("Maximum size of the file. Default: unlimited").exactOptional(),
  max_age: duration({ min: "1s" }).describe("Maximum age of the file. Default: unlimited").exactOptional(),
  keep: z.int().min(0).max(10_000).describe("Number of rotated files to keep").default(10),
});

export const exported = z.strictObject({
  file: text.describe("Verdicts as JSON lines, such as verdicts.jsonl").exactOptional(),
  rotate: rotate
    .describe(
      "At one of these limits, the file is renamed to verdicts-TIME.jsonl, and a new file begins. Default: no limits",
    )
    .prefault({}),
  otlp: z.array(destination).describe("OTLP backends for verdicts").default([]),
  webhook: z.array(webhook).describe("Webhooks for verdicts and changes").default([]),
  scores: z.array(scores).describe("Observability products in which judged traces get scores").default([]),
  link: endpoint
    .describe("Public address of the page, for links in scores. Default: no links")
    .exactOptional(),
  kafka: kafka.describe("Verdicts as Kafka messages, keyed by trace id. Default: none").exactOptional(),
  queue: size({ min: "1MiB" })
    .describe(
      "Disk space of each output's queue. Each queue also has 16 MiB of memory. With journal.durability: memory, each queue has only its 16 MiB of memory",
    )
    .default(defaults.verdictQueue),
  span: z
    .enum(["child", "link", "off"])
    .describe(
      "Span for each verdict. child: below the judged root span; link: in a trace of its own, with a link to the root span; off: none",
    )
    .default("child"),
  revisions: z
    .enum(["final", "first", "all"])
    .describe(
      "Which verdicts are exported if late spans change a run and its verdict. final: the first verdict at once, and the last verdict after `assemble.late_window`; first: only the first verdict; all: each verdict at once",
    )
    .default("final"),
  content: z
    .boolean()
    .describe("Includes texts of runs and judges in exports; export.file always includes them")
    .default(false),
});
