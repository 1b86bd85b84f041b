import type { KafkaMessage, KafkaPort, KafkaRecord, TopicPartition } from "./port.ts";

/** Kind of error in a record; also the value of the header `tracejury.reason`. */
export type PoisonKind = "malformed" | "too_large" | "failed";

/** Returns the record with additional headers that name its origin and its error. The record itself stays unchanged. */
export function deadLetter(
  { topic, partition }: TopicPartition,
  record: KafkaRecord,
  kind: PoisonKind,
  message: string,
): KafkaMessage {
  const own = {
    "tracejury.reason": kind,
    "tracejury.message": message,
    "tracejury.topic": topic,
    "tracejury.partition": String(partition),
    "tracejury.offset": String(record.offset),
    "tracejury.timestamp": new Date(record.unixMs).toISOString(),
  };
  return { key: record.key, value: record.value, headers: { ...Object.fromEntries(record.headers), ...own } };
}

const ATTEMPTS = 3;

/** Sends the record to the dead-letter topic, with retries. Rejects if all attempts fail, or if an error is permanent. */
export async function putAside(
  port: KafkaPort,
  topic: string,
  letter: KafkaMessage,
  beat: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await port.produce(topic, [letter]);
    } catch (error) {
      if (attempt === ATTEMPTS || isForGood(error)) throw error;
      await beat();
    }
  }
}

function isForGood(error: unknown): boolean {
  return /MESSAGE_TOO_LARGE|TOPIC_AUTHORIZATION|INVALID_TOPIC/.test(
    String((error as { type?: string }).type),
  );
}
