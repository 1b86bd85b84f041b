import { z } from "zod";
import { configuredDefaults as defaults } from "../../export/queue/backend-down.ts";
import { scoreKinds } from "../../export/settings.ts";
import { outcomes } from "../../model/outcome.ts";
import { duration, size } from "../quantities.ts";
import { kafkaConnection, topic } from "./kafka.ts";
import { endpoint, headers, text } from "./values.ts";

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
    .describe("For one attempt to send a request")
    .default(defaults.attemptTimeout),
});

const webhook = z
  .strictObject({
    url: endpoint.describe(
      "Verdicts are posted here; an address that is not public needs security.allowed_networks",
    ),
    on: z
      .enum(["verdict", "change"])
      .describe(
        "verdict: each verdict; change: when the pass rate, cost, latency or tokens of a query changed, once (needs a store)",
      )
      .default("verdict"),
    format: z
      .enum(["json", "slack"])
      .describe("json: the verdicts as in export.file; slack: what Slack's incoming webhooks take")
      .default("json"),
    headers: headers.describe("Sent with each request").default({}),
    secret: text
      .describe("Signs each request as Standard Webhooks do (webhook-signature); absent: not signed")
      .exactOptional(),
    outcomes: z
      .array(z.enum(outcomes))
      .min(1)
      .describe(
        "on: verdict: those that are posted; absent: all, and for slack those that fail or could not be judged (error)",
      )
      .exactOptional(),
    max_batch: z
      .int()
      .min(1)
      .max(1000)
      .describe("Verdicts in one request; 40 at most for slack")
      .default(100),
    max_delay: duration({ max: "1h" }).describe("How long a verdict waits for others").default("1s"),
    timeout: duration({ min: "100ms", max: "5m" })
      .describe("For one attempt")
      .default(defaults.attemptTimeout),
  })
  .superRefine(({ on, outcomes: written }, context) => {
    if (on !== "change" || written === undefined) return;
    const message = "changes have no outcome: leave out `outcomes`, or write `on: verdict`";
    context.addIssue({ code: "custom", path: ["outcomes"], message });
  });

const scores = z
  .strictObject({
    kind: z.enum(scoreKinds).describe("Which tool it is"),
    endpoint: endpoint.describe("Base address of its API, such as http://phoenix:6006"),
    key: text
      .describe(
        "langfuse: PUBLIC_KEY:SECRET_KEY; mlflow: USER:PASSWORD or a token; the others: an API key; absent: none",
      )
      .exactOptional(),
    project: z
      .string()
      .regex(/^[\w.:/-]+$/)
      .describe(
        "braintrust: id of the project; phoenix: its name, default unless written; datadog: ml_app, the service of each run unless written",
      )
      .exactOptional(),
    headers: headers.describe("Sent with each request").default({}),
    names: z
      .array(text)
      .min(1)
      .describe(
        "Scores to post: evaluation names (tracejury.verdict, path.tool_recall) or keys of the spec (min_tool_recall); * is any characters",
      )
      .default(["tracejury.*"]),
    on: z
      .enum(["run", "check"])
      .describe("What the score of a check is attached to: the run's trace, or the span that is its evidence")
      .default("run"),
    wait: duration({ min: "0s", max: "1d" })
      .describe(
        "How long a verdict waits for its trace to be there (all but langfuse and datadog, which take scores before their trace)",
      )
      .default(defaults.traceWait),
    timeout: duration({ min: "100ms", max: "5m" })
      .describe("For one request")
      .default(defaults.attemptTimeout),
  })
  .refine(
    ({ kind, project }) => kind !== "braintrust" || project !== undefined,
    "kind braintrust needs `project`, the id of the project that the traces are in",
  );

const kafka = z.strictObject({
  ...kafkaConnection,
  topic: topic.describe("Topic that verdicts are written to").default("tracejury_verdicts"),
  timeout: duration({ min: "1s", max: "5m" })
    .describe("For the brokers' acknowledgement")
    .default(defaults.kafkaTimeout),
});

const rotate = z.strictObject({
  max_size: size({ min: "1KiB" })
    .describe("A larger file is put aside; absent: whatever its size")
    .exactOptional(),
  max_age: duration({ min: "1s" })
    .describe("An older file is put aside; absent: whatever its age")
    .exactOptional(),
  keep: z.int().min(0).max(10_000).describe("Files put aside that stay; the oldest are deleted").default(10),
});

export const exported = z.strictObject({
  file: text.describe("Verdicts as JSON lines, such as verdicts.jsonl").exactOptional(),
  rotate: rotate
    .describe("When that file is put aside, as verdicts-TIME.jsonl, for a new one; never when empty")
    .prefault({}),
  otlp: z.array(destination).describe("Backends that verdicts are sent to").default([]),
  webhook: z.array(webhook).describe("Addresses that verdicts are posted to").default([]),
  scores: z.array(scores).describe("Tools that show traces, in which judged traces get scores").default([]),
  link: endpoint
    .describe("Address under which people open this page, for links in scores; absent: no links")
    .exactOptional(),
  kafka: kafka.describe("Verdicts as messages, keyed by trace id; absent: none").exactOptional(),
  queue: size({ min: "1MiB" })
    .describe(
      "Disk space for what one output cannot be sent yet; in memory, 16 MiB, when journal.durability is memory",
    )
    .default(defaults.verdictQueue),
  span: z
    .enum(["child", "link", "off"])
    .describe("The verdict's span: below the judged root, linked to it, or none")
    .default("child"),
  revisions: z
    .enum(["final", "first", "all"])
    .describe("Which verdicts about a run are sent when late spans change it")
    .default("final"),
  content: z.boolean().describe("Includes answer texts and judges' reasons in what is sent").default(false),
});
