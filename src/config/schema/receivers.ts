import { z } from "zod";
import { duration, size } from "../quantities.ts";
import { kafkaConnection, topic } from "./kafka.ts";
import { address, endpoint, text } from "./values.ts";

export const receive = z.strictObject({
  http: address
    .describe("Address of OTLP/HTTP. Port 0: any free port; off: the port is not opened")
    .default("127.0.0.1:4318"),
  grpc: address
    .describe(
      "Address of OTLP/gRPC; off: the port is not opened. Each of the two OTLP ports accepts both protocols",
    )
    .default("127.0.0.1:4317"),
  max_body: size({ min: "1KiB", max: "1GiB" })
    .describe(
      "Maximum size of a request body; it applies to the body as received and to the decompressed body",
    )
    .default("64MiB"),
});

/* Schemas of the receivers in the configuration. `resolve-receivers.ts` converts the validated receivers into settings. */

const kafka = z.strictObject({
  ...kafkaConnection,
  topics: z
    .strictObject({
      traces: z
        .union([z.literal("off"), topic])
        .describe("Topic of spans; off reads no spans")
        .default("otlp_spans"),
      logs: z
        .union([z.literal("off"), topic])
        .describe("Topic of log records; off reads no log records")
        .default("otlp_logs"),
    })
    .refine(
      ({ traces, logs }) => traces !== logs,
      "at least one topic is required, and the topics must differ",
    )
    .describe("Topics to read. The defaults are the topics of the OpenTelemetry Collector's kafka exporter")
    .prefault({}),
  group: text.describe("Consumer group; the processes of a group share the partitions").default("tracejury"),
  encoding: z.enum(["otlp_proto", "otlp_json"]).describe("Encoding of the records").default("otlp_proto"),
  initial_offset: z
    .enum(["earliest", "latest"])
    .describe("Where a group without committed offsets begins to read")
    .default("earliest"),
  dead_letter: topic
    .describe("Topic for unreadable records. By default, unreadable records are counted and dropped")
    .exactOptional(),
  notes: topic
    .describe("Topic in which the group records judged and finished traces. Default: GROUP-notes")
    .exactOptional(),
  session_timeout: duration({ min: "6s", max: "5m" })
    .describe(
      "A process that sends no heartbeat for this time loses its partitions to other processes of the group",
    )
    .default("30s"),
  fetch: size({ min: "64KiB", max: "64MiB" })
    .describe("Maximum size of one fetch of a partition, compressed")
    .default("1MiB"),
});

const models = z.strictObject({
  address: address
    .describe("Address to listen on. Agents use http://ADDRESS/r/AGENT/PROVIDER/… as the provider's base URL")
    .default("127.0.0.1:4320"),
  providers: z
    .record(z.string().regex(/^(?!r$)[\w-]{1,64}$/, "a name of letters, digits, - and _ (not r)"), endpoint)
    .describe("Base URL of each provider, by path segment; requests go to no other address")
    .default({ openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com" }),
});

export const receivers = z.strictObject({
  kafka: kafka
    .describe(
      "Reads OTLP from Kafka. Telemetry from Kafka is not written to the journal, because Kafka's committed offsets replace it",
    )
    .exactOptional(),
  models: models
    .describe("Proxy that records model calls as spans, for agents without instrumentation")
    .exactOptional(),
});
