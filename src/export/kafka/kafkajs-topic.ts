import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Message, Producer } from "kafkajs";
import { type KafkaClient, kafkaClient } from "../../receive/kafka/client.ts";
import type { KafkaDestination } from "../settings.ts";
import { messageKey, MessageTooLarge, type VerdictMessage, type VerdictTopic } from "./verdict-topic.ts";

/** Number of records, at the end of each partition, that are searched for a verdict. */
const LOOK_BACK_RECORDS = 10_000;
const LONGEST_SEARCH_MS = 60_000;
const idHeader = "tracejury.verdict.id";
const revisionHeader = "tracejury.revision";

/** Creates a topic with kafkajs. The library is loaded when the first message is written. */
export function kafkajsTopic(settings: KafkaDestination, onWarning: (text: string) => void): VerdictTopic {
  const { topic, timeoutMs } = settings;
  let client: Promise<KafkaClient> | undefined;
  let connecting: Promise<Producer> | undefined;
  const connected = (): Promise<KafkaClient> =>
    (client ??= kafkaClient(settings, "export.kafka", onWarning).catch((error: unknown) => {
      client = undefined;
      throw error;
    }));
  const connect = async (): Promise<Producer> => {
    const { kafka, library } = await connected();
    const producer = kafka.producer({
      allowAutoTopicCreation: true,
      createPartitioner: library.Partitioners.DefaultPartitioner,
      // A retry by kafkajs could write messages twice. So the delivery queue retries instead, after it has searched the topic for the
      // messages.
      retry: { retries: 0 },
    });
    await producer.connect();
    return producer;
  };
  const disconnect = async (): Promise<void> => {
    const producer = await connecting?.catch(() => undefined);
    connecting = undefined;
    await producer?.disconnect().catch(() => undefined);
  };
  return {
    async produce(messages) {
      try {
        const producer = await (connecting ??= connect());
        await producer.send({ topic, acks: -1, timeout: timeoutMs, messages: messages.map(kafkaMessage) });
      } catch (error) {
        if (isTooLarge(error)) throw new MessageTooLarge((error as Error).message);
        await disconnect();
        throw error;
      }
    },
    async find(keys) {
      return search(await connected(), topic, keys);
    },
    close: disconnect,
  };
}

function kafkaMessage({ traceId, verdictId, revision, value }: VerdictMessage): Message {
  const headers = {
    "content-type": "application/json",
    [idHeader]: verdictId,
    [revisionHeader]: String(revision),
  };
  return { key: traceId, value: Buffer.from(value), headers };
}

function isTooLarge(error: unknown): boolean {
  return (error as { readonly type?: string } | null)?.type === "MESSAGE_TOO_LARGE";
}

/** Returns those of the keys that occur in the newest messages of the partitions, up to the current ends of the partitions. */
async function search(
  { kafka }: KafkaClient,
  topic: string,
  keys: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const open = new Map<number, number>();
  const starts: { readonly partition: number; readonly offset: string }[] = [];
  const admin = kafka.admin();
  await admin.connect();
  try {
    if (!(await admin.listTopics()).includes(topic)) return found;
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const start = Math.max(Number(low), Number(high) - LOOK_BACK_RECORDS);
      if (start >= Number(high)) continue;
      open.set(partition, Number(high));
      starts.push({ partition, offset: String(start) });
    }
  } finally {
    await admin.disconnect();
  }
  if (open.size === 0) return found;
  const consumer = kafka.consumer({ groupId: `tracejury-verdicts-${randomUUID()}` });
  const reached = new AbortController();
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic] });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        for (const { headers = {} } of batch.messages) {
          const verdictId = textOf(headers[idHeader]);
          const key = messageKey({ verdictId, revision: Number(textOf(headers[revisionHeader])) });
          if (keys.has(key)) found.add(key);
        }
        if (Number(batch.lastOffset()) + 1 >= (open.get(batch.partition) ?? 0)) open.delete(batch.partition);
        if (open.size === 0) reached.abort();
      },
    });
    for (const { partition, offset } of starts) consumer.seek({ topic, partition, offset });
    await sleep(LONGEST_SEARCH_MS, undefined, { signal: reached.signal }).catch(() => undefined);
    if (open.size > 0)
      throw new Error(
        `the newest records of the topic ${topic} could not be read within ${LONGEST_SEARCH_MS} ms`,
      );
  } finally {
    await consumer.disconnect().catch(() => undefined);
  }
  return found;
}

function textOf(header: Buffer | string | (Buffer | string)[] | undefined): string {
  return String([header ?? ""].flat()[0]);
}
