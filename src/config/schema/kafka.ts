import { z } from "zod";
import { text } from "./values.ts";

export const topic = z
  .string()
  .regex(/^[\w.-]{1,249}$/, "the name of a topic: letters, digits, `.`, `_` and `-`");
const broker = z.string().regex(/^(\[[^\]]+\]|[^:\s]+):\d{1,5}$/, "host:port of a broker");

const sasl = z.strictObject({
  mechanism: z.enum(["plain", "scram-sha-256", "scram-sha-512"]).describe("SASL mechanism of the brokers"),
  username: text.describe("User name"),
  password: text.describe("Password, such as ${env:NAME}"),
});

const tls = z
  .strictObject({
    ca_file: text
      .describe("PEM file of the certificate authorities. Default: those of Node.js")
      .exactOptional(),
    cert_file: text
      .describe("PEM file of the client certificate, if the brokers require a client certificate")
      .exactOptional(),
    key_file: text.describe("PEM file of the private key").exactOptional(),
    server_name: text
      .describe("Server name in the brokers' certificates. Default: the brokers' host")
      .exactOptional(),
  })
  .refine(
    (one) => (one.cert_file === undefined) === (one.key_file === undefined),
    "give `cert_file` and `key_file` together",
  );

/** Settings of the connection to Kafka's brokers. The receiver and the exporter have the same settings. */
export const kafkaConnection = {
  brokers: z.array(broker).min(1).describe("Bootstrap brokers, as host:port"),
  client_id: text.describe("Client id in the brokers' logs").default("tracejury"),
  sasl: sasl.describe("SASL authentication. Default: none").exactOptional(),
  tls: tls.describe("TLS to the brokers; {} is TLS with the default values. Default: no TLS").exactOptional(),
};
