import { setTimeout as sleep } from "node:timers/promises";
import kafkajs, { type Kafka } from "kafkajs";
import { lz4Codec, snappyCodec, zstdCodec } from "../../../src/receive/kafka/codecs.ts";

export function connect(address: string): Kafka {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  CompressionCodecs[CompressionTypes.Snappy] = () => snappyCodec();
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4Codec();
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstdCodec();
  return new kafkajs.Kafka({
    clientId: "kafka-test",
    brokers: [address],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 100, maxRetryTime: 3_000 }, // on a busy machine a broker needs minutes to restart
  });
}

export interface TopicRecord {
  readonly partition: number;
  readonly offset: number;
  /** The record's key as text. */
  readonly traceId: string;
  /** Reason why the record is a dead letter. */
  readonly reason: string;
}

/** All records in a topic. */
export async function readTopic(kafka: Kafka, topic: string): Promise<TopicRecord[]> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const total = ends.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  const records: TopicRecord[] = [];
  const consumer = kafka.consumer({ groupId: `reader-${topic}-${Date.now()}` });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message: { offset, key, headers } }) => {
      const reason = String(headers?.["tracejury.reason"] ?? "");
      records.push({ partition, offset: Number(offset), traceId: key?.toString() ?? "", reason });
    },
  });
  while (records.length < total) await sleep(100);
  await consumer.disconnect();
  return records;
}

/** Committed offsets of a group by partition, and whether all records are committed. */
export async function committedOf(kafka: Kafka, groupId: string, topic: string) {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const committed = new Map((offsets?.partitions ?? []).map((one) => [one.partition, Number(one.offset)]));
    const ends = await admin.fetchTopicOffsets(topic);
    const isAll = ends.every(({ partition, high }) => (committed.get(partition) ?? 0) >= Number(high));
    return { committed, isAll };
  } finally {
    await admin.disconnect();
  }
}
