import type kafkajs from "kafkajs";
import type { Kafka, SASLOptions } from "kafkajs";
import { gzipCodec, lz4Codec, snappyCodec, zstdCodec } from "./codecs.ts";
import type { KafkaConnection } from "./settings.ts";
import { tlsOptions } from "./tls-options.ts";

/** Retry settings of kafkajs. */
export const KAFKA_RETRY = { initialRetryTime: 300, maxRetryTime: 5_000, retries: 5 };

export interface KafkaClient {
  readonly kafka: Kafka;
  readonly library: typeof kafkajs;
}

/**
 * Loads kafkajs and creates a client that is not connected yet.
 * @param key configuration key of the connection, such as `receivers.kafka`; used in messages
 * @throws KafkaTlsError if certificates or keys cannot be used
 */
export async function kafkaClient(
  { clientId, brokers, sasl, tls }: KafkaConnection,
  key: string,
  onWarning: (text: string) => void,
): Promise<KafkaClient> {
  const { default: library } = await import("kafkajs");
  const { CompressionTypes, CompressionCodecs, logLevel } = library;
  CompressionCodecs[CompressionTypes.GZIP] = () => gzipCodec();
  CompressionCodecs[CompressionTypes.Snappy] = () => snappyCodec();
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4Codec();
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstdCodec();
  const kafka = new library.Kafka({
    clientId,
    brokers: [...brokers],
    ...(sasl === null ? {} : { sasl: sasl as SASLOptions }),
    ...(tls === null ? {} : { ssl: tlsOptions(tls, `${key}.tls`) }),
    retry: KAFKA_RETRY,
    logLevel: logLevel.ERROR,
    logCreator:
      () =>
      ({ log }) =>
        onWarning(log.message),
  });
  return { kafka, library };
}
