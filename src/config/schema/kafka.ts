import { z } from "zod";
import { text } from "./values.ts";

export const topic = z
  .string()
  .regex(/^[\w.-]{1,249}$/, "the name of a topic: letters, digits, `.`, `_` and `-`");
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

/** How brokers are reached, for what is read and what is written. */
export const kafkaConnection = {
  brokers: z.array(broker).min(1).describe("Some brokers, as host:port; they name the others"),
  client_id: text.describe("Our name in the brokers' logs").default("tracejury"),
  sasl: sasl.describe("How we log in; absent: not at all").exactOptional(),
  tls: tls.describe("TLS to the brokers; absent: none, {}: with the usual authorities").exactOptional(),
};
