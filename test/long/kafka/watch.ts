import { setTimeout as sleep } from "node:timers/promises";
import kafkajs, { type Admin, type Consumer, type Kafka } from "kafkajs";
import { lz4Codec, snappyCodec, zstdCodec } from "../../../src/receive/kafka/codecs.ts";
import type { Group } from "./group.ts";

/** What the group had committed, and which traces had a verdict when that was looked up afterwards. */
interface Moment {
  readonly committed: ReadonlyMap<number, number>;
  readonly judged: ReadonlySet<string>;
}

/** Looks at the group's offsets all the time, to find out afterwards whether they ever passed a trace that had no verdict. */
export class OffsetWatch {
  readonly #admin: Admin;
  readonly #moments: Moment[] = [];
  readonly #topic: string;
  readonly #groupId: string;
  readonly #group: Group;
  readonly #stopped = { value: false };
  readonly #loop: Promise<void>;

  constructor(kafka: Kafka, topic: string, groupId: string, group: Group) {
    this.#admin = kafka.admin();
    this.#topic = topic;
    this.#groupId = groupId;
    this.#group = group;
    this.#loop = this.#run();
  }

  get looks(): number {
    return this.#moments.length;
  }

  /** Whether everything in the topic is committed. */
  async isDone(): Promise<boolean> {
    const ends = await this.#admin.fetchTopicOffsets(this.#topic);
    const committed = await this.#committed();
    return ends.every(({ partition, high }) => (committed.get(partition) ?? 0) >= Number(high));
  }

  async stop(): Promise<void> {
    this.#stopped.value = true;
    await this.#loop;
    await this.#admin.disconnect();
  }

  /** Traces that had a record below a committed offset and no verdict. */
  passed(records: readonly TopicRecord[]): Set<string> {
    const traces = records.filter(({ traceId }) => /^[0-9a-f]{32}$/.test(traceId));
    const bad = new Set<string>();
    for (const { committed, judged } of this.#moments) {
      for (const { partition, offset, traceId } of traces) {
        if (offset < (committed.get(partition) ?? 0) && !judged.has(traceId)) bad.add(traceId);
      }
    }
    return bad;
  }

  async #run(): Promise<void> {
    await this.#admin.connect();
    while (!this.#stopped.value) {
      // The offsets first: what has a verdict by now may have got it since, what has none had none then.
      const committed = await this.#committed().catch(() => null);
      if (committed !== null) {
        this.#moments.push({ committed, judged: new Set(this.#group.lines().map((line) => line.trace_id)) });
      }
      await sleep(700);
    }
  }

  async #committed(): Promise<Map<number, number>> {
    const [offsets] = await this.#admin.fetchOffsets({ groupId: this.#groupId, topics: [this.#topic] });
    return new Map((offsets?.partitions ?? []).map(({ partition, offset }) => [partition, Number(offset)]));
  }
}

export interface TopicRecord {
  readonly partition: number;
  readonly offset: number;
  /** The key, as text. */
  readonly traceId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything in a topic. */
export async function readTopic(kafka: Kafka, topic: string): Promise<TopicRecord[]> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const left = new Map(ends.map(({ partition, high, low }) => [partition, Number(high) - Number(low)]));
  const total = [...left.values()].reduce((sum, count) => sum + count, 0);
  const records: TopicRecord[] = [];
  const consumer: Consumer = kafka.consumer({ groupId: `reader-${topic}-${Date.now()}` });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message }) => {
      records.push({
        partition,
        offset: Number(message.offset),
        traceId: message.key?.toString() ?? "",
        headers: Object.fromEntries(
          Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
        ),
      });
    },
  });
  while (records.length < total) await sleep(100);
  await consumer.disconnect();
  return records;
}

export function connect(address: string): Kafka {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  CompressionCodecs[CompressionTypes.Snappy] = () => snappyCodec();
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4Codec();
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstdCodec();
  return new kafkajs.Kafka({
    clientId: "kafka-test",
    brokers: [address],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 100, maxRetryTime: 3_000 }, // a broker takes minutes to restart on a busy machine
  });
}
