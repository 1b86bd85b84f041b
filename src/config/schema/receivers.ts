import { z } from "zod";
import { duration, size } from "../quantities.ts";
import { text } from "./values.ts";

/* What telemetry is fetched from, as it is written; `resolve-receivers.ts` turns it into settings. */

const topic = z.string().regex(/^[\w.-]{1,249}$/, "the name of a topic: letters, digits, `.`, `_` and `-`");
const broker = z.string().regex(/^(\[[^\]]+\]|[^:\s]+):\d{1,5}$/, "host:port of a broker");

const sasl = z.strictObject({
  mechanism: z.enum(["plain", "scram-sha-256", "scram-sha-512"]).describe("As the brokers ask for"),
  username: text.describe("Name"),
  password: text.describe("Mostly from the environment: ${env:NAME}"),
});

const tls = z
  .strictObject({
    ca_file: text
      .describe("Authorities of the brokers' certificates, PEM; absent: the usual ones")
      .exactOptional(),
    cert_file: text.describe("Our certificate, PEM, where the brokers ask for one").exactOptional(),
    key_file: text.describe("Its key, PEM").exactOptional(),
    server_name: text
      .describe("Name in the brokers' certificates, where it is not their host")
      .exactOptional(),
  })
  .refine(
    (one) => (one.cert_file === undefined) === (one.key_file === undefined),
    "give `cert_file` and `key_file` together",
  );

const kafka = z.strictObject({
  brokers: z.array(broker).min(1).describe("Some brokers, as host:port; they name the others"),
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
    .describe("What is read; the Collector's kafka exporter has these names as defaults")
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
  client_id: text.describe("Our name in the brokers' logs").default("tracejury"),
  sasl: sasl.describe("How we log in; absent: not at all").exactOptional(),
  tls: tls.describe("TLS to the brokers; absent: none, {}: with the usual authorities").exactOptional(),
  dead_letter: topic
    .describe("Topic for records that cannot be read; absent: they are counted and left out")
    .exactOptional(),
  notes: topic
    .describe("Topic in which the group keeps what was judged and finished; absent: GROUP-notes")
    .exactOptional(),
  session_timeout: duration({ min: "6s", max: "5m" })
    .describe("A process that was not heard of for so long loses its partitions")
    .default("30s"),
  fetch: size({ min: "64KiB", max: "64MiB" })
    .describe("Most that is fetched of one partition at a time, compressed")
    .default("1MiB"),
});

export const receivers = z.strictObject({
  kafka: kafka.describe("A consumer group; its offsets are the journal of what it reads").exactOptional(),
});
