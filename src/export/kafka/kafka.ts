import type { ExportEvents } from "../records/export-events.ts";
import type { SendResult } from "../queue/send-result.ts";
import { createDeliveryQueue } from "../queue/delivery-queue.ts";
import type { DiskQueue } from "../queue/disk-queue.ts";
import type { KafkaDestination } from "../settings.ts";
import { queueSink, type VerdictSink } from "../verdict-sink.ts";
import { webhookVerdict } from "../webhook/verdict-body.ts";
import { messageKey, MessageTooLarge, type VerdictMessage, type VerdictTopic } from "./verdict-topic.ts";

export interface KafkaOptions {
  readonly destination: KafkaDestination;
  readonly topic: VerdictTopic;
  readonly content: boolean;
  readonly events: ExportEvents;
  readonly diskQueue: DiskQueue | undefined;
}

/**
 * First byte of a queued record whose message an earlier process may have written to the topic. The message is written only if the topic
 * does not contain it.
 */
const maybeSentMark = 0x3f;
const longestSearch = 5000;

/** Creates an output that writes verdicts to a Kafka topic, one message for each verdict. */
export function createKafkaSink(options: KafkaOptions): VerdictSink {
  const { destination, topic, content, events, diskQueue } = options;
  const route = {
    exporter: "kafka",
    signal: "verdicts",
    destination: destination.brokers[0] ?? destination.topic,
  } as const;
  /**
   * Number of records at the head of the queue whose messages may already be in the topic. While it is above 0, the topic is searched for
   * the messages of a batch before the batch is written.
   */
  let unsure = diskQueue?.recovered.reduce((sum, { records }) => sum + records, 0) ?? 0;
  const queue = createDeliveryQueue({
    route,
    events,
    diskQueue,
    closeTransport: () => topic.close(),
    send: async (records): Promise<SendResult> => {
      const isUnsure = unsure > 0;
      const messages = records.map(messageOf);
      const suspects = messages.filter((_, at) => isUnsure || records[at]?.[0] === maybeSentMark);
      try {
        const present =
          suspects.length === 0 ? new Set<string>() : await topic.find(new Set(suspects.map(messageKey)));
        const missing = messages.filter((message) => !present.has(messageKey(message)));
        const tooLarge = missing.length === 0 ? 0 : await produce(topic, missing);
        unsure = Math.max(0, unsure - records.length);
        if (tooLarge > 0) {
          events.rejected({
            ...route,
            records: tooLarge,
            why: "the message is larger than the brokers accept (message.max.bytes)",
          });
        }
        return { outcome: "delivered", rejected: tooLarge };
      } catch (error) {
        // The failed attempt may have written some messages of the batch to the topic.
        unsure = Math.min(Math.max(unsure, records.length), longestSearch);
        return { outcome: "retry", error: (error as Error).message, retryAfterMs: 0 };
      }
    },
  });
  return queueSink(queue, (verdict, { maybeSent }) => {
    const json = Buffer.from(webhookVerdict(verdict, content));
    return maybeSent ? Buffer.concat([Buffer.of(maybeSentMark), json]) : json;
  });
}

/** Writes messages. If one message is too large, writes each message alone. Returns the number of messages that are too large. */
async function produce(topic: VerdictTopic, messages: readonly VerdictMessage[]): Promise<number> {
  try {
    await topic.produce(messages);
    return 0;
  } catch (error) {
    if (!(error instanceof MessageTooLarge)) throw error;
    if (messages.length === 1) return 1;
    let tooLarge = 0;
    for (const message of messages) tooLarge += await produce(topic, [message]);
    return tooLarge;
  }
}

function messageOf(record: Uint8Array): VerdictMessage {
  const value = record[0] === maybeSentMark ? record.subarray(1) : record;
  const {
    trace_id: traceId,
    verdict_id: verdictId,
    revision,
  } = JSON.parse(Buffer.from(value).toString()) as {
    readonly trace_id: string;
    readonly verdict_id: string;
    readonly revision: number;
  };
  return { traceId, verdictId, revision, value };
}
