import { z } from "zod";
import { duration, size } from "../quantities.ts";
import { kafkaConnection, topic } from "./kafka.ts";
import { address, endpoint, text } from "./values.ts";

export const receive = z.strictObject({
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

/* What telemetry is fetched from, as it is written; `resolve-receivers.ts` turns it into settings. */

const kafka = z.strictObject({
  ...kafkaConnection,
  topics: z
    .strictObject({
      traces: z
        .union([z.literal("off"), topic])
        .describe("Topic of spans; off: none")
        .default("otlp_spans"),
      logs: z
        .union([z.literal("off"), topic])
        .describe("Topic of log records; off: none")
        .default("otlp_logs"),
    })
    .refine(({ traces, logs }) => traces !== logs, "needs one topic at least, and not the same twice")
    .describe("Topics to read; the defaults are those of the Collector's kafka exporter")
    .prefault({}),
  group: text.describe("Processes of one group share the partitions").default("tracejury"),
  encoding: z
    .enum(["otlp_proto", "otlp_json"])
    .describe("Of the records, as in the Collector's kafka exporter")
    .default("otlp_proto"),
  initial_offset: z
    .enum(["earliest", "latest"])
    .describe("Where a group begins that has committed nothing")
    .default("earliest"),
  dead_letter: topic
    .describe("Topic for records that cannot be read; absent: they are counted and left out")
    .exactOptional(),
  notes: topic
    .describe("Topic in which the group records judged and finished traces; absent: GROUP-notes")
    .exactOptional(),
  session_timeout: duration({ min: "6s", max: "5m" })
    .describe("A process that was not heard of for so long loses its partitions")
    .default("30s"),
  fetch: size({ min: "64KiB", max: "64MiB" })
    .describe("Most that is fetched of one partition at a time, compressed")
    .default("1MiB"),
});

const models = z.strictObject({
  address: address
    .describe("Agents use http://ADDRESS/r/AGENT/PROVIDER/… as the base URL of their provider")
    .default("127.0.0.1:4320"),
  providers: z
    .record(z.string().regex(/^(?!r$)[\w-]{1,64}$/, "a name of letters, digits, - and _ (not r)"), endpoint)
    .describe("The only addresses that requests are passed on to: a path segment and the provider's base URL")
    .default({ openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com" }),
});

export const receivers = z.strictObject({
  kafka: kafka.describe("A consumer group; its offsets are the journal of what it reads").exactOptional(),
  models: models
    .describe(
      "Passes model calls on to their provider and receives each as a span: for agents without instrumentation",
    )
    .exactOptional(),
});
