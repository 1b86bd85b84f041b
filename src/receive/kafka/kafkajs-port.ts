import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage as Fetched, Producer } from "kafkajs";
import { assigner, type Protocol } from "./assigner.ts";
import { KAFKA_RETRY, kafkaClient } from "./client.ts";
import type {
  GroupEvents,
  KafkaMessage,
  KafkaPort,
  KafkaRecord,
  Tail,
  TopicOffset,
  TopicPartition,
} from "./port.ts";
import type { KafkaSettings } from "./settings.ts";

const ANEW_MS = 3_000;
/** Maximum size of one fetch of all partitions, as a multiple of the maximum size for one partition. */
const PARTITIONS_AT_ONCE = 8;

/**
 * Creates the Kafka port, which connects in `start`.
 * @throws KafkaTlsError if certificates or keys cannot be used
 */
export async function kafkajsPort(
  settings: KafkaSettings,
  onWarning: (text: string) => void,
): Promise<KafkaPort> {
  const { kafka, library } = await kafkaClient(settings, "receivers.kafka", onWarning);
  return new KafkajsPort(kafka, settings, library.AssignerProtocol, library.Partitioners.DefaultPartitioner);
}

class KafkajsPort implements KafkaPort {
  readonly #kafka: Kafka;
  readonly #settings: KafkaSettings;
  readonly #protocol: Protocol;
  readonly #producer: Producer;
  #consumer: Consumer | undefined;
  #connecting: Promise<void> | undefined;
  #owned: readonly TopicPartition[] = [];
  #stopped = false;

  constructor(
    kafka: Kafka,
    settings: KafkaSettings,
    protocol: Protocol,
    createPartitioner: NonNullable<Parameters<Kafka["producer"]>[0]>["createPartitioner"],
  ) {
    this.#kafka = kafka;
    this.#settings = settings;
    this.#protocol = protocol;
    this.#producer = kafka.producer({
      allowAutoTopicCreation: true,
      ...(createPartitioner && { createPartitioner }),
    });
  }

  async start(events: GroupEvents): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#join(events);
        return;
      } catch (error) {
        events.failed(error as Error);
        await this.#consumer?.disconnect().catch(() => undefined);
        await sleep(ANEW_MS, undefined, { ref: false });
      }
    }
  }

  async starts(partitions: readonly TopicPartition[]): Promise<readonly TopicOffset[]> {
    const admin = this.#kafka.admin();
    await admin.connect();
    try {
      const topics = [...new Set(partitions.map(({ topic }) => topic))];
      const committed = await admin.fetchOffsets({ groupId: this.#settings.group, topics });
      const ends = new Map(
        await Promise.all(
          topics.map(async (topic) => [topic, await admin.fetchTopicOffsets(topic)] as const),
        ),
      );
      return partitions.map(({ topic, partition }) => {
        const known = committed
          .find((one) => one.topic === topic)
          ?.partitions.find((one) => one.partition === partition);
        const bounds = ends.get(topic)?.find((one) => one.partition === partition);
        const low = Number(bounds?.low ?? 0);
        const first = this.#settings.from === "earliest" ? low : Number(bounds?.high ?? 0);
        const offset = Number(known?.offset ?? -1);
        return { topic, partition, offset: offset < 0 ? first : Math.max(offset, low) };
      });
    } finally {
      await admin.disconnect();
    }
  }

  seek({ topic, partition, offset }: TopicOffset): void {
    this.#consumer?.seek({ topic, partition, offset: String(offset) });
  }

  pause({ topic, partition }: TopicPartition): void {
    this.#consumer?.pause([{ topic, partitions: [partition] }]);
  }

  resume({ topic, partition }: TopicPartition): void {
    this.#consumer?.resume([{ topic, partitions: [partition] }]);
  }

  async commit(offsets: readonly TopicOffset[]): Promise<void> {
    if (offsets.length === 0) return;
    await this.#consumer?.commitOffsets(
      offsets.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })),
    );
  }

  async produce(topic: string, messages: readonly KafkaMessage[]): Promise<void> {
    this.#connecting ??= this.#producer.connect();
    await this.#connecting.catch((error: unknown) => {
      this.#connecting = undefined;
      throw error;
    });
    await this.#producer.send({
      topic,
      acks: -1,
      messages: messages.map(({ key, value, headers }) => ({
        key: key === null ? null : Buffer.from(key),
        value: value === null ? null : Buffer.from(value),
        headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)])),
      })),
    });
  }

  async tail(topic: string, retentionMs: number, onRecord: (record: KafkaRecord) => void): Promise<Tail> {
    const admin = this.#kafka.admin();
    await admin.connect();
    const configEntries = [{ name: "retention.ms", value: String(retentionMs) }];
    await admin
      .createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: -1, configEntries }] })
      .catch(() => false); // The topic may exist even if this process may not create topics.
    const groupId = `${this.#settings.group}.notes.${randomUUID()}`;
    const consumer = this.#kafka.consumer({
      groupId,
      retry: { ...KAFKA_RETRY, restartOnFailure: () => Promise.resolve(true) },
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    const seen = new Map<number, number>();
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        for (const message of batch.messages) onRecord(recordOf(message));
        seen.set(batch.partition, Number(batch.lastOffset()) + 1);
      },
    });
    const state = { stopped: false };
    return {
      async caughtUp() {
        const ends = await admin.fetchTopicOffsets(topic);
        const isBehind = (): boolean =>
          ends.some(
            ({ partition, low, high }) => Number(high) > Math.max(seen.get(partition) ?? 0, Number(low)),
          );
        while (isBehind() && !state.stopped) await sleep(100, undefined, { ref: false });
      },
      async stop() {
        state.stopped = true;
        await consumer.disconnect();
        await admin.disconnect();
      },
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#consumer?.disconnect();
    if (this.#connecting !== undefined) await this.#producer.disconnect();
  }

  async #join(events: GroupEvents): Promise<void> {
    const { group, topics, from, sessionTimeoutMs, fetchBytes } = this.#settings;
    const consumer = this.#kafka.consumer({
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: Math.max(sessionTimeoutMs, 10_000),
      heartbeatInterval: Math.max(500, Math.floor(sessionTimeoutMs / 6)),
      maxBytesPerPartition: fetchBytes,
      maxBytes: fetchBytes * PARTITIONS_AT_ONCE,
      maxWaitTimeInMs: Math.min(1_000, Math.floor(sessionTimeoutMs / 6)),
      partitionAssigners: [assigner(this.#protocol, () => this.#owned)],
      retry: { ...KAFKA_RETRY, restartOnFailure: () => Promise.resolve(!this.#stopped) },
    });
    this.#consumer = consumer;
    this.#listen(consumer, events);
    await consumer.connect();
    await consumer.subscribe({
      topics: [topics.traces, topics.logs].filter((topic) => topic !== null),
      fromBeginning: from === "earliest",
    });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (payload) => deliver(payload, events),
    });
  }

  #listen(consumer: Consumer, events: GroupEvents): void {
    let asked = performance.now();
    let memberId = "";
    const { HEARTBEAT, GROUP_JOIN, REBALANCING, REQUEST, CRASH } = consumer.events;
    consumer.on(REQUEST, ({ payload: { apiName, sentAt } }) => {
      // The broker confirmed the membership when the request was sent. Since then, the response may have waited, because this process was
      // suspended.
      if (apiName === "Heartbeat" || apiName === "SyncGroup")
        asked = performance.now() - Math.max(0, Date.now() - sentAt); // kafkajs uses the clock, which may be set back.
    });
    consumer.on(HEARTBEAT, () => events.alive(asked));
    consumer.on(REBALANCING, () => events.leaving());
    consumer.on(GROUP_JOIN, ({ payload }) => {
      const assignment = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      );
      const isContinuous = payload.memberId === memberId;
      memberId = payload.memberId;
      this.#owned = assignment;
      events.joined(assignment, isContinuous);
      events.alive(asked);
    });
    consumer.on(CRASH, ({ payload: { error, restart } }) => {
      events.failed(error);
      if (restart || this.#stopped) return;
      // After an error that kafkajs considers permanent, such as a wrong password, kafkajs stops. The error may end when the broker's
      // settings change, so the consumer is started again.
      setTimeout(() => void this.start(events), ANEW_MS).unref();
    });
  }
}

async function deliver(payload: EachBatchPayload, events: GroupEvents): Promise<void> {
  const { batch } = payload;
  if (!payload.isRunning() || payload.isStale()) return;
  const records = batch.messages.map(recordOf);
  const { topic, partition, highWatermark } = batch;
  // kafkajs's types lack `fetchedOffset`, which shows whether the fetch was requested before or after a rebalance.
  const from = Number((batch as unknown as { readonly fetchedOffset: string }).fetchedOffset);
  const next = Number(batch.lastOffset()) + 1;
  const fetched = { topic, partition, from, next, high: Number(highWatermark), records };
  const done = await events.batch(fetched, () => payload.heartbeat());
  const last = batch.messages[done - 1];
  if (last !== undefined) payload.resolveOffset(last.offset);
  await payload.heartbeat();
}

/** Converts a record. The value is copied, because kafkajs returns a view, which would retain the complete fetched buffer. */
function recordOf({ offset, key, value, headers = {}, timestamp }: Fetched): KafkaRecord {
  return {
    offset: Number(offset),
    key,
    value: value === null ? null : new Uint8Array(value),
    headers: Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((text): [string, Uint8Array] => [name, Buffer.from(text)]),
    ),
    unixMs: Number(timestamp),
  };
}
