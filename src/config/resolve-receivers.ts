import type { KafkaConnection, KafkaSettings } from "../receive/kafka/settings.ts";
import type { ModelReceiverSettings } from "./config.ts";
import { parseDuration, parseSize } from "./quantities.ts";
import type { ConfigDocument } from "./schema.ts";

/** Returns the settings of the Kafka receiver; null if it is not configured. */
export function kafkaSettings({ receivers }: ConfigDocument): KafkaSettings | null {
  const { kafka } = receivers;
  if (kafka === undefined) return null;
  const { topics, group, encoding, notes = `${group}-notes` } = kafka;
  return {
    ...kafkaConnection(kafka),
    topics: { traces: unlessOff(topics.traces), logs: unlessOff(topics.logs) },
    group,
    encoding,
    from: kafka.initial_offset,
    deadLetter: kafka.dead_letter ?? null,
    notes,
    sessionTimeoutMs: parseDuration(kafka.session_timeout) ?? Number.NaN,
    fetchBytes: parseSize(kafka.fetch) ?? Number.NaN,
  };
}

/** Returns the settings of the proxy for model calls; null if it is not configured. */
export function modelSettings({ receivers }: ConfigDocument): ModelReceiverSettings | null {
  const { models } = receivers;
  if (models === undefined) return null;
  return {
    address: models.address,
    providers: Object.entries(models.providers).map(([name, base]) => ({ name, base: new URL(base) })),
  };
}

type WrittenConnection = Pick<
  NonNullable<ConfigDocument["receivers"]["kafka"]>,
  "brokers" | "client_id" | "sasl" | "tls"
>;

export function kafkaConnection({
  brokers,
  client_id: clientId,
  sasl,
  tls,
}: WrittenConnection): KafkaConnection {
  return {
    brokers,
    clientId,
    sasl: sasl ?? null,
    tls:
      tls === undefined
        ? null
        : {
            caFile: tls.ca_file ?? null,
            certFile: tls.cert_file ?? null,
            keyFile: tls.key_file ?? null,
            serverName: tls.server_name ?? null,
          },
  };
}

function unlessOff(topic: string): string | null {
  return topic === "off" ? null : topic;
}
